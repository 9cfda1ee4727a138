#include "CBundledJS.h"

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

/* Values as text. */
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

const char *bundled_inspector_script(void) { return bundled_inspector; }

/* One function around all files: nothing in them can be reached from outside. */
static const char bundled_runtime[] = {
#include "shared-start.h"
#embed "../../js/runtime/modules.js"
    ,
#embed "../../js/runtime/direct.js"
    ,
#embed "../../js/runtime/boot.js"
    , '}', ')', '\0'};

static const char bundled_mocks[] = {
#embed "../../js/testing/mocks.js"
    , '\0'};

static const char bundled_mock_declarations[] = {
#embed "../../js/testing/mocks.d.ts"
    , '\0'};

const char *bundled_mocks_script(void) { return bundled_mocks; }

const char *bundled_mocks_declarations(void) { return bundled_mock_declarations; }

const size_t bundled_runtime_length = sizeof bundled_runtime - 1;

const char *bundled_runtime_start(void) { return bundled_runtime; }
