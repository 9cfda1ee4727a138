#include "CBundledReactNative.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

/* One function around all files, of which the first are those of the bridge's own wire. */
static const char bundled_reactnative[] = {
#include "../CBundledJS/shared-start.h"
#embed "../../js/reactnative/queue.js"
    ,
#embed "../../js/reactnative/modules.js"
    ,
#embed "../../js/reactnative/native.js"
    ,
#embed "../../js/reactnative/proxy.js"
    ,
#embed "../../js/reactnative/batches.js"
    ,
#embed "../../js/reactnative/answers.js"
    ,
#embed "../../js/reactnative/hooks.js"
    ,
#embed "../../js/reactnative/boot.js"
    , '}', ')', '\0'};

const char *bundled_reactnative_script(void) { return bundled_reactnative; }
