import Foundation
import Trestle
import TrestleReactNative

/// Boots JavaScript that was written for React Native on native modules in Swift: `ReactNativeExample core.js app.js`.
@main
struct ReactNativeExample {
  static func main() async throws {
    guard CommandLine.arguments.count > 1 else {
      print("usage: ReactNativeExample script.js…")
      exit(2)
    }
    var configuration = BridgeConfiguration()
    configuration.wire = .reactNative { level, text in print("\(level): \(text)") }
    configuration.onError = { error in
      let exception = error as? ReportedException
      print(exception?.isFatal == false ? "soft:" : "fatal:", exception?.error.message ?? "\(error)")
    }
    let bridge = try await Bridge(modules: .reactNative + .linked, configuration: configuration)
    for script in CommandLine.arguments.dropFirst() { try await bridge.evaluate(file: script) }
    bridge.invoke("AppRegistry.runApplication", "Reader", ["rootTag": 1])
    await bridge.waitUntilIdle()
    bridge.invoke("RCTDeviceEventEmitter.emit", "closingSoon", ["minutes": 5])
    await bridge.waitUntilIdle()
    await bridge.close()
  }
}
