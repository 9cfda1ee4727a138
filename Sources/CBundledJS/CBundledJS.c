#include "CBundledJS.h"

#include <string.h>

#pragma clang diagnostic ignored "-Wc23-extensions"

/* What makes all that scripts get, in their own realm. */
static const char bundled_border[] = {
    '(', 'f', 'u', 'n', 'c', 't', 'i', 'o', 'n', '(', 'f', 'o', 'r', 'e', 'i', 'g', 'n', ')', '{',
    '\'', 'u', 's', 'e', ' ', 's', 't', 'r', 'i', 'c', 't', '\'', ';',
#embed "../../js/border/border.js"
    , '}', ')', '\0'};

const char *bundled_border_script(void) { return bundled_border; }

static const char bundled_foreign[] = {
#embed "../../js/border/foreign.js"
    , '\0'};

const char *bundled_foreign_script(void) { return bundled_foreign; }

/* One function around all files: nothing in them can be reached from outside. */
static const char bundled_runtime[] = {
#include "shared-start.h"
#embed "../../js/runtime/modules.js"
    ,
#embed "../../js/runtime/direct.js"
    ,
#embed "../../js/runtime/boot.js"
    , '}', ')', '\0'};

/* What is evaluated when it is first asked for. */
static const char bundled_values[] = {
#embed "../../js/runtime/late/values.js"
    , '\0'};

static const char bundled_failures[] = {
#embed "../../js/runtime/late/failures.js"
    , '\0'};

static const char bundled_errors[] = {
#embed "../../js/runtime/late/errors.js"
    , '\0'};

static const char bundled_interfaces[] = {
#embed "../../js/runtime/late/interfaces.js"
    , '\0'};

static const char bundled_exceptions[] = {
#embed "../../js/runtime/late/exceptions.js"
    , '\0'};

static const char bundled_targets[] = {
#embed "../../js/runtime/late/targets.js"
    , '\0'};

static const char bundled_messages[] = {
#embed "../../js/runtime/late/messages.js"
    , '\0'};

static const char bundled_timing[] = {
#embed "../../js/runtime/late/timing.js"
    , '\0'};

static const char bundled_signals[] = {
#embed "../../js/runtime/late/signals.js"
    , '\0'};

static const char bundled_streams[] = {
#embed "../../js/runtime/late/streams.js"
    , '\0'};

static const char bundled_objects[] = {
#embed "../../js/runtime/late/objects.js"
    , '\0'};

static const char bundled_inspector[] = {
    '(', 'f', 'u', 'n', 'c', 't', 'i', 'o', 'n', '(', 'n', 'a', 't', 'i', 'v', 'e', ',', 'b', 'o', 'r', 'd', 'e', 'r', ',', 'r', 'u', 'n', 't', 'i', 'm', 'e', ')', '{',
    '\'', 'u', 's', 'e', ' ', 's', 't', 'r', 'i', 'c', 't', '\'', ';',
#embed "../../js/runtime/realm.js"
    ,
#embed "../../js/modules/values.js"
    ,
#embed "../../js/inspector/inspect.js"
    ,
#embed "../../js/inspector/table.js"
    , '}', ')', '\0'};

static const char bundled_loader[] = {
    '(', '(', ')', '=', '>', '{',
#embed "../../js/loader/realm.js"
    ,
#embed "../../js/loader/parser.js"
    ,
#embed "../../js/loader/references.js"
    ,
#embed "../../js/loader/edits.js"
    ,
#embed "../../js/loader/transform.js"
    ,
#embed "../../js/loader/graph.js"
    ,
#embed "../../js/loader/evaluation.js"
    ,
#embed "../../js/loader/records.js"
    ,
#embed "../../js/loader/loader.js"
    , '}', ')', '(', ')', '\0'};

static const char bundled_repl[] = {
    '(', '(', ')', '=', '>', '{',
#embed "../../js/repl/entry.js"
    ,
#embed "../../js/repl/session.js"
    ,
#embed "../../js/repl/completion.js"
    , '}', ')', '(', ')', '\0'};

/* The web's globals, family by family (`js/web`). */
static const char bundled_url[] = {
    '(', '(', ')', '=', '>', '{',
#embed "../../js/web/hosts.js"
    ,
#embed "../../js/web/url-parser.js"
    ,
#embed "../../js/web/url.js"
    , '}', ')', '(', ')', '\0'};

static const char bundled_url_pattern[] = {
    '(', '(', ')', '=', '>', '{',
#embed "../../js/url-pattern/tokens.js"
    ,
#embed "../../js/url-pattern/parts.js"
    ,
#embed "../../js/url-pattern/component.js"
    ,
#embed "../../js/url-pattern/encoders.js"
    ,
#embed "../../js/url-pattern/splitter.js"
    ,
#embed "../../js/url-pattern/url-pattern.js"
    , '}', ')', '(', ')', '\0'};

static const char bundled_encodings[] = {
    '(', '(', ')', '=', '>', '{',
#embed "../../js/web/encodings.js"
    , '}', ')', '(', ')', '\0'};

static const char bundled_bytes[] = {
    '(', '(', ')', '=', '>', '{',
#embed "../../js/modules/values.js"
    ,
#embed "../../js/bytes/bytes.js"
    , '}', ')', '(', ')', '\0'};

static const char bundled_web_streams[] = {
    '(', '(', ')', '=', '>', '{',
#embed "../../js/modules/values.js"
    ,
#embed "../../js/streams/common.js"
    ,
#embed "../../js/streams/readable.js"
    ,
#embed "../../js/streams/readable-iteration.js"
    ,
#embed "../../js/streams/readable-bytes.js"
    ,
#embed "../../js/streams/writable.js"
    ,
#embed "../../js/streams/piping.js"
    ,
#embed "../../js/streams/transform.js"
    ,
#embed "../../js/streams/blobs.js"
    ,
#embed "../../js/streams/codecs.js"
    , '}', ')', '(', ')', '\0'};

/* The parser of JavaScript, from Debian's package node-acorn (MIT). */
static const unsigned char bundled_acorn[] = {
    '(', '(', ')', '=', '>', '{', 'c', 'o', 'n', 's', 't', ' ', 'm', 'o', 'd', 'u', 'l', 'e', '=', '{', '}', ',',
    'e', 'x', 'p', 'o', 'r', 't', 's', '=', '{', '}', ';',
#embed "/usr/share/nodejs/acorn/dist/acorn.js"
    , '\n', 'r', 'e', 't', 'u', 'r', 'n', ' ', 'e', 'x', 'p', 'o', 'r', 't', 's', ';', '}', ')', '(', ')', '\n', '\0'};

static const struct {
    const char *name, *text;
} parts[] = {
    {"values", bundled_values},
    {"failures", bundled_failures},
    {"errors", bundled_errors},
    {"interfaces", bundled_interfaces},
    {"exceptions", bundled_exceptions},
    {"targets", bundled_targets},
    {"messages", bundled_messages},
    {"timing", bundled_timing},
    {"signals", bundled_signals},
    {"streams", bundled_streams},
    {"objects", bundled_objects},
    {"inspector", bundled_inspector},
    {"url", bundled_url},
    {"url-pattern", bundled_url_pattern},
    {"encodings", bundled_encodings},
    {"bytes", bundled_bytes},
    {"web-streams", bundled_web_streams},
    {"loader", bundled_loader},
    {"repl", bundled_repl},
    {"acorn", (const char *)bundled_acorn},
};

const char *bundled_part(const char *name) {
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strcmp(parts[i].name, name) == 0) return parts[i].text;
    return 0;
}

static const char bundled_mocks[] = {
#embed "../../js/testing/mocks.js"
    , '\0'};

static const char bundled_mock_declarations[] = {
#embed "../../js/testing/mocks.d.ts"
    , '\0'};

const char *bundled_mocks_script(void) { return bundled_mocks; }

const char *bundled_mocks_declarations(void) { return bundled_mock_declarations; }

const char *bundled_runtime_script(void) { return bundled_runtime; }
