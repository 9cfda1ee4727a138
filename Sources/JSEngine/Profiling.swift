import CJavaScriptCore

extension JSContext {
  /// Begins to look, a thousand times a second, at what scripts are doing. Costs a few percent of their time.
  public func startProfiling() throws(JSException) {
    try checkOpen()
    guard JSContextGroupEnableSamplingProfiler(JSContextGetGroup(reference)) else {
      throw JSException(.engine, "the engine was built without its sampling profiler")
    }
  }

  /// What was seen so far, as the engine writes it, and stops.
  ///
  /// - Returns: JSON: `{interval, traces: [{timestamp, frames}]}`, in seconds, with `{name, line, column, sourceID, category}` for a
  ///   frame, the innermost first.
  public func takeProfile() throws(JSException) -> String {
    try checkOpen()
    defer { JSContextGroupDisableSamplingProfiler(JSContextGetGroup(reference)) }
    guard let samples = JSContextGroupTakeSamplesFromSamplingProfiler(JSContextGetGroup(reference)) else {
      throw JSException(.engine, "the profiler was not started")
    }
    return String(adopting: samples)
  }
}
