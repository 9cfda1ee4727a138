import CJavaScriptCore
import Glibc

/// A second global object in the heap of a context, for the host's own JavaScript.
///
/// What a script does to its global object, to prototypes and constructors, does not reach code that was evaluated here: that
/// code has intrinsics of its own. Values pass between the two as they are, and a call across costs what a call within one
/// does. The way back is the host's to guard: a function, an error or a plain object of this realm leads a script that holds
/// it to this realm's global object (`x.constructor.constructor('return this')()`).
package struct OwnRealm {
  let context: JSContext

  /// Runs a script in this realm.
  package func evaluate(_ script: String, sourceURL: String? = nil) throws(JSException) -> JSValue {
    try context.value { _, exception in
      withJSString(script) { script in
        withOptionalJSString(sourceURL) { JSEvaluateScript(context.ownRealmReference, script, nil, $0, 1, exception) }
      }
    }
  }

  /// Runs a script that is a part of the program.
  package func evaluate(_ script: BundledScript, sourceURL: String) throws(JSException) -> JSValue {
    try context.evaluate(script, sourceURL, in: context.ownRealmReference)
  }

  /// `{}`, which inherits from this realm's `Object.prototype`.
  package func makeObject() throws(JSException) -> JSObject {
    JSObject(adopting: try context.reference { _, _ in JSObjectMake(context.ownRealmReference, nil, nil) }, in: context)
  }

  /// `[…elements]`, which inherits from this realm's `Array.prototype`.
  package func makeArray(_ elements: [JSValue] = []) throws(JSException) -> JSArray {
    for element in elements { try context.check(element) }
    let references = elements.map { Optional($0.reference) }
    let array = try context.reference { _, exception in
      JSObjectMakeArray(context.ownRealmReference, references.count, references, exception)
    }
    return JSArray(adopting: array, in: context)
  }

  /// The same of what somebody keeps, or of plain numbers: no script runs. Nil without memory.
  package func makeArray(raw elements: [RawValue?]) -> RawValue? {
    JSObjectMakeArray(context.ownRealmReference, elements.count, elements, nil)
  }
}

extension JSContext {
  /// Runs a script beside a global object that nobody else has; what it makes keeps that.
  package func evaluateInNewRealm(_ script: String, sourceURL: String? = nil) throws(JSException) -> JSValue {
    try value { reference, exception in
      guard let realm = JSGlobalContextCreateInGroup(JSContextGetGroup(reference), nil) else { return nil }
      defer { JSGlobalContextRelease(realm) }
      return withJSString(script) { script in
        withOptionalJSString(sourceURL) { JSEvaluateScript(realm, script, nil, $0, 1, exception) }
      }
    }
  }
}

/// A script in ASCII that is a part of the program: the engine reads it where it lies, which saves a quarter of a millisecond for
/// 100 KB, and the memory.
package struct BundledScript: @unchecked Sendable {
  let text: UnsafeBufferPointer<CChar>

  /// - Parameter text: NUL-terminated; stays where it is for as long as the program runs.
  package init(_ text: UnsafePointer<CChar>) { self.text = UnsafeBufferPointer(start: text, count: strlen(text)) }
}

extension JSContext {
  /// Runs a script that is a part of the program.
  package func evaluate(_ script: BundledScript, sourceURL: String) throws(JSException) -> JSValue {
    try evaluate(script, sourceURL, in: reference)
  }

  fileprivate func evaluate(
    _ script: BundledScript, _ sourceURL: String, in realm: JSGlobalContextRef
  ) throws(JSException) -> JSValue {
    try value { _, exception in
      let made = withJSString(sourceURL) {
        JSScriptCreateReferencingImmortalASCIIText(
          JSContextGetGroup(realm), $0, 1, script.text.baseAddress, script.text.count, nil, nil)
      }
      guard let made else { return nil }
      defer { JSScriptRelease(made) }
      return JSScriptEvaluate(realm, made, nil, exception)
    }
  }

  /// The realm of the host's own JavaScript.
  package var ownRealm: OwnRealm { OwnRealm(context: self) }
}
