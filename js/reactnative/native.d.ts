/** What native code gives this wire beside (`ReactNativeHalf.swift`). */
interface NativeHalf {
  /** Of which modules `__fbBatchedBridgeConfig` holds the configs; none if there is `nativeModuleProxy` in its place. */
  moduleTable: 'none' | 'names' | 'complete',
  log(message: string, level: number): void,
  /** Runs a script, which stack traces call `url` unless that is empty. */
  evaluate(code: string, url: string): any,
}
