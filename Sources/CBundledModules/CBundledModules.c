#include "CBundledModules.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

/* Each is one function around its files: nothing in them can be reached from outside. */
#define OPEN \
    '(', 'f', 'u', 'n', 'c', 't', 'i', 'o', 'n', ' ', '(', 'n', 'a', 't', 'i', 'v', 'e', ',', 'b', 'o', 'r', 'd', 'e', 'r', ',', 'r', 'u', 'n', 't', 'i', 'm', 'e', ')', '{', \
    '\'', 'u', 's', 'e', ' ', 's', 't', 'r', 'i', 'c', 't', '\'', ';'
#define CLOSE '}', ')', '\0'

static const char console[] = {
    OPEN,
#embed "../../js/runtime/realm.js"
    ,
#embed "../../js/modules/values.js"
    ,
#embed "../../js/modules/globals.js"
    ,
#embed "../../js/modules/console.js"
    , CLOSE};

static const char timers[] = {
    OPEN,
#embed "../../js/runtime/realm.js"
    ,
#embed "../../js/modules/values.js"
    ,
#embed "../../js/modules/globals.js"
    ,
#embed "../../js/modules/timers.js"
    , CLOSE};

static const char web[] = {
    OPEN,
#embed "../../js/runtime/realm.js"
    ,
#embed "../../js/modules/values.js"
    ,
#embed "../../js/modules/globals.js"
    ,
#embed "../../js/modules/clone.js"
    ,
#embed "../../js/modules/web.js"
    , CLOSE};

static const char worker[] = {
    OPEN,
#embed "../../js/runtime/realm.js"
    ,
#embed "../../js/modules/values.js"
    ,
#embed "../../js/modules/globals.js"
    ,
#embed "../../js/modules/clone.js"
    ,
#embed "../../js/modules/options.js"
    ,
#embed "../../js/modules/worker.js"
    , CLOSE};

static const char worker_scope[] = {
    OPEN,
#embed "../../js/runtime/realm.js"
    ,
#embed "../../js/modules/values.js"
    ,
#embed "../../js/modules/globals.js"
    ,
#embed "../../js/modules/clone.js"
    ,
#embed "../../js/modules/worker-scope.js"
    , CLOSE};

static const char process[] = {
    OPEN,
#embed "../../js/runtime/realm.js"
    ,
#embed "../../js/modules/values.js"
    ,
#embed "../../js/modules/globals.js"
    ,
#embed "../../js/modules/process.js"
    , CLOSE};

static const char sqlite[] = {
    OPEN,
#embed "../../js/runtime/realm.js"
    ,
#embed "../../js/modules/values.js"
    ,
#embed "../../js/modules/options.js"
    ,
#embed "../../js/sqlite/values.js"
    ,
#embed "../../js/sqlite/answers.js"
    ,
#embed "../../js/sqlite/connection.js"
    ,
#embed "../../js/sqlite/walk.js"
    ,
#embed "../../js/sqlite/databases.js"
    ,
#embed "../../js/sqlite/key-value.js"
    ,
#embed "../../js/sqlite/sync.js"
    ,
#embed "../../js/sqlite/module.js"
    , CLOSE};

const char *bundled_console_script(void) { return console; }
const char *bundled_timers_script(void) { return timers; }
const char *bundled_web_script(void) { return web; }
const char *bundled_process_script(void) { return process; }
const char *bundled_sqlite_script(void) { return sqlite; }
const char *bundled_worker_script(void) { return worker; }
const char *bundled_worker_scope_script(void) { return worker_scope; }
