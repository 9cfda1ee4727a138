#include <JavaScriptCore/JavaScript.h>
#include <stdbool.h>
#include <stddef.h>

/* Functions that libjavascriptcoregtk-4.1 exports and its headers do not declare. Each has a test in JSEngineTests. */

/* Of `jsc/JSCOptions.h`, which cannot be included beside JavaScript.h. Before the first context; false for an option that the
   engine does not have. */
int jsc_options_set_boolean(const char *option, int value);
int jsc_options_get_boolean(const char *option, int *value);
int jsc_options_set_uint(const char *option, unsigned value);
int jsc_options_get_uint(const char *option, unsigned *value);

/* Which signal stops threads for a collection; before the first context. False if it is too late. */
bool JSConfigureSignalForGC(int signal);

/* The lock that every API call takes. Held over a scope it makes the calls inside cheaper; released by the outermost
   unlock, which also runs the microtasks. */
void JSLock(JSContextRef context);
void JSUnlock(JSContextRef context);

/* `callback` is asked when scripts have used `seconds` of CPU time since they were last entered from native code. */
typedef bool (*JSShouldTerminateCallback)(JSContextRef context, void *user);
void JSContextGroupSetExecutionTimeLimit(
    JSContextGroupRef group, double seconds, JSShouldTerminateCallback callback, void *user);
void JSContextGroupClearExecutionTimeLimit(JSContextGroupRef group);

/* A script whose text stays where it is: the engine reads it there, and makes no string of it. Null if the text has a byte above 127 or
   is no JavaScript. */
typedef struct OpaqueJSScript *JSScriptRef;
JSScriptRef JSScriptCreateReferencingImmortalASCIIText(
    JSContextGroupRef group, JSStringRef url, int startingLine, const char *text, size_t length, JSStringRef *error,
    int *errorLine);
void JSScriptRelease(JSScriptRef script);
JSValueRef JSScriptEvaluate(JSContextRef context, JSScriptRef script, JSValueRef thisValue, JSValueRef *exception);

void JSSynchronousGarbageCollectForDebugging(JSContextRef context);

/* Memory outside the heap that objects in it stand for: the next collection comes so much earlier. */
void JSReportExtraMemoryCost(JSContextRef context, size_t size);

/* An object with the members heapSize, heapCapacity, extraMemorySize, objectCount and others. */
JSObjectRef JSGetMemoryUsageStatistics(JSContextRef context);

/* The sampling profiler: false if it was left out of the library; then JSON of what it has seen. */
bool JSContextGroupEnableSamplingProfiler(JSContextGroupRef group);
void JSContextGroupDisableSamplingProfiler(JSContextGroupRef group);
JSStringRef JSContextGroupTakeSamplesFromSamplingProfiler(JSContextGroupRef group);

/* `function` is called with the promise and the reason. */
void JSGlobalContextSetUnhandledRejectionCallback(
    JSGlobalContextRef context, JSObjectRef function, JSValueRef *exception);

/* A reference that does not keep its object alive. */
typedef struct OpaqueJSWeak *JSWeakRef;
JSWeakRef JSWeakCreate(JSContextGroupRef group, JSObjectRef object);
JSObjectRef JSWeakGetObject(JSWeakRef reference);
void JSWeakRelease(JSContextGroupRef group, JSWeakRef reference);

/* `JSC::VM::drainMicrotasks`. The group is the `VM *`. Only with the lock held. */
static inline void JSDrainMicrotasks(JSContextRef context) {
  extern void drain(JSContextGroupRef vm) __asm__("_ZN3JSC2VM15drainMicrotasksEv");
  drain(JSContextGetGroup(context));
}

/* `JSC::VM::ensureTerminationException`: the exception that no script catches, to be thrown by a host function. Only with
   the lock held. */
static inline JSValueRef JSTerminationException(JSContextRef context) {
  extern JSValueRef ensure(JSContextGroupRef vm) __asm__("_ZN3JSC2VM26ensureTerminationExceptionEv");
  return ensure(JSContextGetGroup(context));
}

/* `WTF::initializeMainThread`: makes the calling thread the engine's main one, if no other is. */
static inline void JSInitializeMainThread(void) {
  extern void initialize(void) __asm__("_ZN3WTF20initializeMainThreadEv");
  initialize();
}
