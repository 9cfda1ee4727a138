#include <JavaScriptCore/JavaScript.h>
#include <stdbool.h>
#include <stddef.h>

/* Functions that libjavascriptcoregtk-4.1 exports and its headers do not declare. Each has a test in JSEngineTests. */

typedef bool (*JSShouldTerminateCallback)(JSContextRef context, void *user);

void JSLock(JSContextRef context);
void JSUnlock(JSContextRef context);
void JSContextGroupSetExecutionTimeLimit(
    JSContextGroupRef group, double seconds, JSShouldTerminateCallback callback, void *user);
void JSContextGroupClearExecutionTimeLimit(JSContextGroupRef group);
void JSSynchronousGarbageCollectForDebugging(JSContextRef context);
