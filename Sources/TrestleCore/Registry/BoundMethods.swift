/// The methods of a module instance, ready to be called, by number: plain memory, as an array of this in the path of every
/// call costs more than the rest of the dispatch.
final class BoundMethods {
  struct Method {
    let call: ModuleDetails.Call
    // Owned by `references`.
    unowned(unsafe) let reference: MethodReference
    let parameterCount: Int
  }

  private(set) var start = UnsafeMutablePointer<Method>.allocate(capacity: 0)
  private(set) var count = 0
  private var references: [MethodReference] = []

  func fill(
    _ methods: [ModuleDetails.Method], calls: [ModuleDetails.Call], module: String
  ) {
    references = methods.map { MethodReference(module: module, name: $0.name, kind: $0.kind) }
    start.deallocate()
    start = .allocate(capacity: methods.count)
    for index in methods.indices {
      (start + index).initialize(
        to: Method(
          call: calls[index], reference: references[index], parameterCount: methods[index].parameters.count))
    }
    count = methods.count
  }

  deinit {
    start.deinitialize(count: count)
    start.deallocate()
  }
}
