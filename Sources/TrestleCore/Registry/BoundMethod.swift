/// A method of a module instance, ready to be called. On the JS thread.
@usableFromInline
final class BoundMethod {
  /// Not in an array: closures in one are wrapped twice, in thunks that every call would go through.
  let call: _Expansion.Call
  let reference: MethodReference
  let parameterCount: Int
  // The session owns its modules and what they are tied to.
  unowned(unsafe) let module: ModuleInstance
  @usableFromInline let answers: UnsafeMutablePointer<ValueWriter>
  @usableFromInline let synchronousAnswer: UnsafeMutablePointer<ValueWriter>

  init(_ method: ModuleDetails.Method, of module: ModuleInstance, call: @escaping _Expansion.Call) {
    self.call = call
    reference = MethodReference(module: module.definition.name, name: method.name, kind: method.kind)
    parameterCount = method.parameters.count
    self.module = module
    answers = module.session.answers
    synchronousAnswer = module.session.synchronousAnswer
  }
}
