import Foundation
import Testing
import Trestle
import TrestleFoundation
import TrestleReactNative
import TrestleTesting

/// What a user of the package gets by `import TrestleFoundation`, on both wires.
@Suite struct FoundationModuleTests {
  @Test(arguments: BridgeConfiguration.Wire.allCases) func valuesCrossAsWhatTheyAre(
    wire: BridgeConfiguration.Wire
  ) async throws {
    var configuration = BridgeConfiguration()
    configuration.wire = wire
    try await withTestBridge(.definitions([Diary.moduleDefinition]), configuration: configuration) { test in
      try await test.run(
        """
        globalThis.seen = [];
        const { Diary } = NativeModules;
        (async () => {
          const page = { written: new Date(1500), seal: new Uint8Array([1, 2]), link: 'https://example.org/a', price: '12.50' };
          const next = await Diary.turn(page);
          seen.push(next.written instanceof Date && next.written.getTime(), new Uint8Array(next.seal).join(), next.link, next.price);
          for (const broken of [{ written: 1 }, { seal: [1] }, { link: '' }, { price: 12.5 }, { price: '1 €' }, { price: '1'.repeat(39) }])
            await Diary.turn({ ...page, ...broken }).catch(error => seen.push(error.message));
          await Diary.refuse().catch(error => seen.push(error.message));
        })().catch(error => seen.push(`${error}`));
        """)
      let seen = try await test.bridge.evaluate("seen.map(String)", as: [String].self)
      #expect(
        seen == [
          "2500", "1,2,3", "https://example.org/b", "25",
          "Diary.turn, argument 1 'page.written': expected Date, got number 1",
          "Diary.turn, argument 1 'page.seal': expected ArrayBuffer or typed array, got array",
          "Diary.turn, argument 1 'page.link': expected URL string, got string \"\"",
          "Diary.turn, argument 1 'page.price': expected decimal number as a string, got number 12.5",
          "Diary.turn, argument 1 'page.price': expected decimal number as a string, got string \"1 €\"",
          "Diary.turn, argument 1 'page.price': expected decimal number as a string, got string \"\(String(repeating: "1", count: 39))\"",
          "The diary is closed.",
        ])
    }
  }

  @Test func scriptsAreToldTheTypes() async throws {
    try await withTestBridge(.definitions([Diary.moduleDefinition])) { (test) async throws in
      let types = try await test.bridge.typeDeclarations()
      for line in ["written: Date;", "seal: ArrayBuffer", "link: string;", "price: string;"] {
        #expect(types.contains(line), "\(types)")
      }
    }
  }
}

@Record private struct Page {
  var written: Date
  var seal: Data
  var link: URL
  var price: Decimal
}

private struct ClosedError: LocalizedError {
  var errorDescription: String? { "The diary is closed." }
}

@NativeModule(isLinked: false) private actor Diary {
  init() {}
  @Exported func turn(_ page: Page) -> Page {
    Page(
      written: page.written + 1, seal: page.seal + [3], link: URL(string: "b", relativeTo: page.link) ?? page.link,
      price: page.price * 2)
  }
  @Exported func refuse() throws { throw ClosedError() }
}
