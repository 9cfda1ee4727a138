#include "CBundledModules.h"

#include <string.h>

#pragma clang diagnostic ignored "-Wc23-extensions"

static const char globals[] = {
#embed "../../js/types/globals.d.ts"
    ,
#embed "../../js/types/console.d.ts"
    ,
#embed "../../js/types/timers.d.ts"
    ,
#embed "../../js/types/web.d.ts"
    ,
#embed "../../js/types/events.d.ts"
    ,
#embed "../../js/types/abort.d.ts"
    ,
#embed "../../js/types/url.d.ts"
    ,
#embed "../../js/types/bytes.d.ts"
    ,
#embed "../../js/types/streams.d.ts"
    , '\0'};

static const char files[] = {
#embed "../../js/types/files.d.ts"
    , '\0'};

static const char process[] = {
#embed "../../js/types/process.d.ts"
    , '\0'};

static const char processes[] = {
#embed "../../js/types/processes.d.ts"
    , '\0'};

static const char sqlite[] = {
#embed "../../js/types/sqlite.d.ts"
    , '\0'};

static const char worker[] = {
#embed "../../js/types/worker.d.ts"
    , '\0'};

const char *bundled_type_declarations(const char *module) {
    if (!strcmp(module, "Files")) return files;
    if (!strcmp(module, "Process")) return process;
    if (!strcmp(module, "Processes")) return processes;
    if (!strcmp(module, "SQLite")) return sqlite;
    if (!strcmp(module, "Workers")) return worker;
    return globals;
}
