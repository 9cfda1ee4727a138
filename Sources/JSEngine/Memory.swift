import CJavaScriptCore

/// What a context's heap holds.
public struct MemoryStatistics: Sendable, Equatable {
  /// Bytes in live objects, as of the last collection.
  public var heapSize: Int
  /// Bytes set aside for objects.
  public var heapCapacity: Int
  /// Bytes outside the heap that objects hold: buffers, long strings.
  public var extraMemorySize: Int
  /// As of the last collection.
  public var objectCount: Int
}

extension JSContext {
  /// Costs a walk over the heap's blocks.
  public func memoryStatistics() throws(JSException) -> MemoryStatistics {
    let table = JSObject(adopting: try reference { context, _ in JSGetMemoryUsageStatistics(context) }, in: self)
    func member(_ name: String) throws(JSException) -> Int { Int(try table.get(name).number ?? 0) }
    return MemoryStatistics(
      heapSize: try member("heapSize"), heapCapacity: try member("heapCapacity"),
      extraMemorySize: try member("extraMemorySize"), objectCount: try member("objectCount"))
  }

  /// An object that JavaScript now has keeps so many bytes outside the heap: the collector comes so much earlier.
  package func reportExtraMemory(_ byteCount: Int) {
    if !isClosed, byteCount > 0 { JSReportExtraMemoryCost(reference, byteCount) }
  }

  /// Collects garbage, completely, now. Costs milliseconds.
  public func collectGarbage() {
    loop.preconditionOnOwnThread()
    if !isClosed { JSSynchronousGarbageCollectForDebugging(reference) }
  }
}
