/// The methods that can be called, by the numbers of module and method. On the JS thread.
///
/// Plain memory: to look a method up in arrays of objects costs more than the rest of the dispatch.
struct DispatchTable: ~Copyable {
  private struct Module {
    var methods: UnsafeMutablePointer<Unmanaged<BoundMethod>>?
    var count = 0

    func release() {
      for index in 0..<count { methods?[index].release() }
      methods?.deallocate()
    }
  }

  private struct Header {
    var modules: UnsafeMutablePointer<Module>?
    var count = 0
    var capacity = 0
  }

  private let header = UnsafeMutablePointer<Header>.allocate(capacity: 1)

  init() { header.initialize(to: Header()) }

  deinit {
    for index in 0..<header.pointee.count { header.pointee.modules?[index].release() }
    header.pointee.modules?.deallocate()
    header.deallocate()
  }

  /// Makes room for the module of the next number; until it is filled, it has no methods.
  func addModule() {
    if header.pointee.count == header.pointee.capacity { grow() }
    header.pointee.modules?.advanced(by: header.pointee.count).initialize(to: Module())
    header.pointee.count += 1
  }

  private func grow() {
    let capacity = max(64, header.pointee.capacity * 2)
    let larger = UnsafeMutablePointer<Module>.allocate(capacity: capacity)
    if let modules = header.pointee.modules {
      larger.moveInitialize(from: modules, count: header.pointee.count)
      modules.deallocate()
    }
    header.pointee.modules = larger
    header.pointee.capacity = capacity
  }

  func fill(module: Int, with methods: [BoundMethod]) {
    guard module < header.pointee.count else { return }
    let memory = UnsafeMutablePointer<Unmanaged<BoundMethod>>.allocate(capacity: methods.count)
    for (index, method) in methods.enumerated() { (memory + index).initialize(to: .passRetained(method)) }
    header.pointee.modules?[module].release()
    header.pointee.modules?[module] = Module(methods: memory, count: methods.count)
  }

  /// - Returns: nil for a number that no module or method has, or whose module has no instance yet.
  @inline(__always)
  func method(_ method: Int, ofModule module: Int) -> Unmanaged<BoundMethod>? {
    guard module < header.pointee.count, let entry = header.pointee.modules?.advanced(by: module),
      method < entry.pointee.count
    else { return nil }
    return entry.pointee.methods?[method]
  }
}
