import CJavaScriptCore

/// Built-in functions, and functions over them, made before any script could replace the originals.
///
/// Plain references, protected until the context goes: values would keep their context alive for ever.
struct Intrinsics {
  /// Runs the body of the turn under way.
  let turn: JSObjectRef
  let functionPrototype: JSValueRef
  let rangeErrorPrototype: JSValueRef
  /// `(error) → carrier`, or undefined.
  let carrierOfError: JSObjectRef
  /// `(name, message, carrier) → Error`.
  let makeError: JSObjectRef
  /// `(promise, fulfilled, rejected)`.
  let then: JSObjectRef
  /// `(buffer) → 0 plain, 1 resizable, 2 shared, 3 detached`.
  let bufferState: JSObjectRef
  /// `(buffer, first byte, count) → ArrayBuffer` with those bytes; all of them by default.
  let copyBuffer: JSObjectRef
  /// `(buffer) → ArrayBuffer` that has taken its memory.
  let transferBuffer: JSObjectRef
  /// `(value) → boolean`.
  let isPromise: JSObjectRef
  /// `(object, name) → boolean`: the engine's own function keeps what a trap throws for whoever comes next.
  let has: JSObjectRef
  /// `(object) → names` of `for (name in object)`; the same.
  let memberNames: JSObjectRef
  /// A loop, in which a termination is noticed.
  let spin: JSObjectRef

  /// `(value) → value`: an error that the engine raised in the host's own realm as one of the script's, anything else as it is.
  let cleaned: JSObjectRef
  /// `() → boolean`: calls the next callback of a `FinalizationRegistry` that waits; false if none does.
  let runFinalizer: JSObjectRef

  init(_ context: JSContext) {
    let reference = context.reference
    let make = withJSString(Self.script) { JSEvaluateScript(context.ownRealmReference, $0, nil, nil, 1, nil) }
    let arguments = [JSContextGetGlobalObject(reference)]
    // The script is ours and the context is new: there is nothing to fail.
    let object = JSObjectCallAsFunction(reference, make, nil, 1, arguments, nil)!
    func member(_ name: String) -> JSValueRef {
      let value = withJSString(name) { JSObjectGetProperty(reference, object, $0, nil) }!
      JSValueProtect(reference, value)
      return value
    }
    turn = JSObjectMake(reference, turnClass.reference, Unmanaged.passUnretained(context).toOpaque())
    JSValueProtect(reference, turn)
    functionPrototype = member("functionPrototype")
    rangeErrorPrototype = member("rangeErrorPrototype")
    carrierOfError = member("carrierOfError")
    makeError = member("makeError")
    then = member("then")
    bufferState = member("bufferState")
    copyBuffer = member("copyBuffer")
    transferBuffer = member("transferBuffer")
    isPromise = member("isPromise")
    has = member("has")
    memberNames = member("memberNames")
    spin = member("spin")
    cleaned = member("cleaned")
    let takeOver = withJSString(Self.finalizationScript) { JSEvaluateScript(reference, $0, nil, nil, 1, nil) }!
    JSValueProtect(reference, takeOver)
    runFinalizer = takeOver
  }

  /// Puts the callbacks of the script's `FinalizationRegistry` off. The engine calls them beside any turn, and one that is ended
  /// there, or a microtask of it, has the engine run no microtasks any more, for good (2.50.6).
  private static let finalizationScript = """
    (() => {
      'use strict'
      const { construct, defineProperty } = Reflect
      const Original = FinalizationRegistry, { prototype } = Original, ScriptTypeError = TypeError
      let first, last
      const made = { FinalizationRegistry: function (callback) {
        if (new.target === undefined) throw new ScriptTypeError('calling FinalizationRegistry constructor without new is invalid')
        if (typeof callback !== 'function') throw new ScriptTypeError('FinalizationRegistry: expected a function')
        return construct(Original, [held => {
          const item = { __proto__: null, callback, held, next: undefined }
          last = last === undefined ? first = item : last.next = item
        }], new.target)
      } }.FinalizationRegistry
      const change = (object, key, value, writable) =>
        defineProperty(object, key, { __proto__: null, value, writable, enumerable: false, configurable: key !== 'prototype' })
      change(made, 'prototype', prototype, false)
      change(prototype, 'constructor', made, true)
      change(globalThis, 'FinalizationRegistry', made, true)
      return () => {
        if (first === undefined) return false
        const { callback, held } = first
        first = first.next
        if (first === undefined) last = undefined
        callback(held)
        return true
      }
    })()
    """

  /// A function of the script's global object, evaluated in the host's own realm: what scripts patch later does not reach it. What
  /// scripts get to see (errors, buffers, what `then` makes) is made by the script's own constructors.
  private static let script = """
    (scope => {
      'use strict'
      const uncurry = Function.prototype.bind.bind(Function.prototype.call)
      const carriers = new WeakMap
      const classes = { __proto__: null, TypeError: scope.TypeError, RangeError: scope.RangeError, SyntaxError: scope.SyntaxError }
      const { Error: ScriptError, RangeError: ScriptRangeError, TypeError: ScriptTypeError, Promise: { prototype: promises } } = scope
      const getter = (prototype, name) => uncurry(Object.getOwnPropertyDescriptor(prototype, name).get)
      const resizable = getter(ArrayBuffer.prototype, 'resizable')
      const detached = getter(ArrayBuffer.prototype, 'detached')
      const isPrototypeOf = uncurry(Object.prototype.isPrototypeOf)
      return {
        functionPrototype: scope.Function.prototype,
        rangeErrorPrototype: ScriptRangeError.prototype,
        carrierOfError: error => carriers.get(error),
        makeError(name, message, carrier) {
          const error = new (classes[name] ?? ScriptError)(message)
          const inherited = classes[name] ? name : 'Error'
          if (inherited !== name)
            Reflect.defineProperty(error, 'name', { value: name, writable: true, configurable: true })
          if (carrier) carriers.set(error, carrier)
          return error
        },
        then: uncurry(promises.then),
        isPromise: value => isPrototypeOf(promises, value),
        has: Reflect.has,
        memberNames(object) {
          const names = []
          for (const name in object) names[names.length] = name
          return names
        },
        spin() { for (let i = 0; i < 10; i++); },
        transferBuffer: uncurry(scope.ArrayBuffer.prototype.transferToFixedLength),
        copyBuffer(buffer, start, count) {
          const bytes = new Uint8Array(buffer, start, count), copy = new Uint8Array(bytes.length)
          copy.set(bytes)
          return copy.buffer
        },
        bufferState(buffer) {
          try { return detached(buffer) ? 3 : resizable(buffer) ? 1 : 0 } catch { return 2 }
        },
        cleaned(value) {
          // Of what a trap throws this is a proxy of a script's; of the end of the stack it may be anything.
          try { if (!(value instanceof Object)) return value } catch (failure) {
            if (failure instanceof RangeError) throw failure
            return value
          }
          const Made = value instanceof RangeError ? ScriptRangeError : value instanceof TypeError ? ScriptTypeError : ScriptError
          return new Made(`${value.message}`)
        },
      }
    })
    """
}
