import CJavaScriptCore

/// Built-in functions, and functions over them, made before any script could replace the originals.
///
/// Plain references, protected until the context goes: values would keep their context alive for ever.
struct Intrinsics {
  /// Runs the body of the turn under way.
  let turn: JSObjectRef
  let functionPrototype: JSValueRef
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
  /// A loop, in which a termination is noticed.
  let spin: JSObjectRef

  init(_ context: JSContext) {
    let reference = context.reference
    let table = withJSString(Self.script) { JSEvaluateScript(reference, $0, nil, nil, 1, nil) }
    // The script is ours and the context is new: there is nothing to fail.
    let object = JSValueToObject(reference, table, nil)!
    func member(_ name: String) -> JSValueRef {
      let value = withJSString(name) { JSObjectGetProperty(reference, object, $0, nil) }!
      JSValueProtect(reference, value)
      return value
    }
    turn = JSObjectMake(reference, turnClass.reference, Unmanaged.passUnretained(context).toOpaque())
    JSValueProtect(reference, turn)
    functionPrototype = member("functionPrototype")
    carrierOfError = member("carrierOfError")
    makeError = member("makeError")
    then = member("then")
    bufferState = member("bufferState")
    copyBuffer = member("copyBuffer")
    transferBuffer = member("transferBuffer")
    isPromise = member("isPromise")
    spin = member("spin")
  }

  private static let script = """
    (() => {
      'use strict'
      const uncurry = Function.prototype.bind.bind(Function.prototype.call)
      const carriers = new WeakMap
      const find = uncurry(WeakMap.prototype.get), add = uncurry(WeakMap.prototype.set)
      const { Error, TypeError, RangeError, SyntaxError, Object: { defineProperty } } = globalThis
      const classes = { __proto__: null, TypeError, RangeError, SyntaxError }
      const getter = (prototype, name) => uncurry(Object.getOwnPropertyDescriptor(prototype, name).get)
      const resizable = getter(ArrayBuffer.prototype, 'resizable')
      const detached = getter(ArrayBuffer.prototype, 'detached')
      const { Promise: PromiseClass, Uint8Array: Bytes } = globalThis
      const views = Object.getPrototypeOf(Bytes.prototype)
      const setBytes = uncurry(views.set), lengthOf = getter(views, 'length'), bufferOf = getter(views, 'buffer')
      const transferBuffer = uncurry(ArrayBuffer.prototype.transferToFixedLength)
      const then = uncurry(Promise.prototype.then)
      return {
        functionPrototype: Function.prototype,
        carrierOfError: error => find(carriers, error),
        makeError(name, message, carrier) {
          const error = new (classes[name] ?? Error)(message)
          if (error.name !== name)
            defineProperty(error, 'name', { __proto__: null, value: name, writable: true, configurable: true })
          if (carrier) add(carriers, error, carrier)
          return error
        },
        then,
        isPromise: value => value instanceof PromiseClass,
        spin() { for (let i = 0; i < 10; i++); },
        transferBuffer,
        copyBuffer(buffer, start, count) {
          const bytes = new Bytes(buffer, start, count), copy = new Bytes(lengthOf(bytes))
          setBytes(copy, bytes)
          return bufferOf(copy)
        },
        bufferState(buffer) {
          try { return detached(buffer) ? 3 : resizable(buffer) ? 1 : 0 } catch { return 2 }
        },
      }
    })()
    """
}
