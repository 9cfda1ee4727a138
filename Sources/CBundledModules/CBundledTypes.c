#include "CBundledModules.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const char types[] = {
#embed "../../js/types/globals.d.ts"
    ,
#embed "../../js/types/console.d.ts"
    ,
#embed "../../js/types/timers.d.ts"
    ,
#embed "../../js/types/web.d.ts"
    ,
#embed "../../js/types/abort.d.ts"
    ,
#embed "../../js/types/files.d.ts"
    ,
#embed "../../js/types/process.d.ts"
    ,
#embed "../../js/types/worker.d.ts"
    , '\0'};

const char *bundled_type_declarations(void) { return types; }
