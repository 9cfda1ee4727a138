import CJavaScriptCore

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
}

extension JSContext {
  /// The realm of the host's own JavaScript.
  package var ownRealm: OwnRealm { OwnRealm(context: self) }
}
