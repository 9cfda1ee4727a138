#include "CBundledJS.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

/* One function around all files: nothing in them can be reached from outside. */
static const char bundled_runtime[] = {
    '(', 'f', 'u', 'n', 'c', 't', 'i', 'o', 'n', '(', 'n', 'a', 't', 'i', 'v', 'e', ')', '{',
    '\'', 'u', 's', 'e', ' ', 's', 't', 'r', 'i', 'c', 't', '\'', ';',
#embed "../../js/runtime/primordials.js"
    ,
#embed "../../js/runtime/wire.js"
    ,
#embed "../../js/runtime/slots.js"
    ,
#embed "../../js/runtime/kept.js"
    ,
#embed "../../js/runtime/failures.js"
    ,
#embed "../../js/runtime/binary.js"
    ,
#embed "../../js/runtime/shapes.js"
    ,
#embed "../../js/runtime/tree.js"
    ,
#embed "../../js/runtime/errors.js"
    ,
#embed "../../js/runtime/records.js"
    ,
#embed "../../js/runtime/encoders.js"
    ,
#embed "../../js/runtime/answers.js"
    ,
#embed "../../js/runtime/modules.js"
    ,
#embed "../../js/runtime/native-modules.js"
    ,
#embed "../../js/runtime/events.js"
    ,
#embed "../../js/runtime/calls.js"
    ,
#embed "../../js/runtime/scripts.js"
    ,
#embed "../../js/runtime/closing.js"
    ,
#embed "../../js/runtime/direct.js"
    ,
#embed "../../js/runtime/boot.js"
    , '}', ')', '\0'};

static const char bundled_reactnative[] = {
    '(', 'f', 'u', 'n', 'c', 't', 'i', 'o', 'n', '(', 'n', 'a', 't', 'i', 'v', 'e', ')', '{',
    '\'', 'u', 's', 'e', ' ', 's', 't', 'r', 'i', 'c', 't', '\'', ';',
#embed "../../js/runtime/primordials.js"
    ,
#embed "../../js/runtime/wire.js"
    ,
#embed "../../js/runtime/slots.js"
    ,
#embed "../../js/runtime/kept.js"
    ,
#embed "../../js/runtime/failures.js"
    ,
#embed "../../js/runtime/binary.js"
    ,
#embed "../../js/runtime/shapes.js"
    ,
#embed "../../js/runtime/tree.js"
    ,
#embed "../../js/runtime/errors.js"
    ,
#embed "../../js/runtime/records.js"
    ,
#embed "../../js/runtime/encoders.js"
    ,
#embed "../../js/runtime/answers.js"
    ,
#embed "../../js/runtime/events.js"
    ,
#embed "../../js/runtime/calls.js"
    ,
#embed "../../js/runtime/native-modules.js"
    ,
#embed "../../js/runtime/scripts.js"
    ,
#embed "../../js/runtime/closing.js"
    ,
#embed "../../js/reactnative/queue.js"
    ,
#embed "../../js/reactnative/modules.js"
    ,
#embed "../../js/reactnative/native.js"
    ,
#embed "../../js/reactnative/batches.js"
    ,
#embed "../../js/reactnative/answers.js"
    ,
#embed "../../js/reactnative/boot.js"
    , '}', ')', '\0'};

const size_t bundled_runtime_length = sizeof bundled_runtime - 1;

const char *bundled_runtime_start(void) { return bundled_runtime; }

const size_t bundled_reactnative_length = sizeof bundled_reactnative - 1;

const char *bundled_reactnative_start(void) { return bundled_reactnative; }
