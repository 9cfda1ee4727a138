import Testing
import Trestle

@testable import TrestleCore

/// The definitions that the macros write, read as the registry does.
struct DefinitionTests {
  @Test func membersHaveKindsAndSignatures() {
    let details = Ledger.moduleDefinition.makeDetails()
    #expect(details.methods.map(\.name) == ["post", "balance", "name", "close"])
    #expect(details.methods.map(\.kind) == [.void, .promise, .sync, .callbacks])
    #expect(details.constants.map(\.name) == ["currency"])
    #expect(details.methods[0].parameters.map(\.isOptional) == [false, true])
  }
}

@Record private struct Entry {
  var amount: Double
  var text: String?
}

@NativeModule
private actor Ledger {
  private var entries: [Entry] = []
  @Exported let currency = "EUR"
  @Exported func post(_ entry: Entry, times: Int = 1) { entries += Array(repeating: entry, count: times) }
  @Exported func balance() -> Double { entries.reduce(0) { $0 + $1.amount } }
  @Exported(.sync) nonisolated func name() -> String { "ledger" }
  @Exported func close(success: Callback<Void>) { success() }
}
