/// A native module that is told when a batch of calls has been made: React Native's `batchDidComplete`.
///
/// For modules that gather what single calls ask for, and do it once.
public protocol BatchObserver {
  /// JavaScript has given up the thread, and the calls that it left, to whichever modules, have been made on the JS thread or
  /// started elsewhere. Called on the JS thread, and only if the module's instance has been made by then.
  func batchDidComplete()
}
