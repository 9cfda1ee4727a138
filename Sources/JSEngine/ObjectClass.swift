import CJavaScriptCore

/// A class of host objects, made once and never released.
struct ObjectClass: @unchecked Sendable {
  // Unchecked for the handle, which nobody changes.
  let reference: JSClassRef

  init(call: JSObjectCallAsFunctionCallback? = nil, finalize: JSObjectFinalizeCallback? = nil) {
    var definition = kJSClassDefinitionEmpty
    definition.attributes = JSClassAttributes(kJSClassAttributeNoAutomaticPrototype)
    definition.callAsFunction = call
    definition.finalize = finalize
    reference = (call == nil ? "Object" : "Function").withCString { name in
      definition.className = name
      // The engine aborts before it returns nil.
      return JSClassCreate(&definition)!
    }
  }
}
