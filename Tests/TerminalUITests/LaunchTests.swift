import EditorClient
import Testing

@testable import TerminalUI

@Suite struct LaunchTests {
  private func reason(_ arguments: String...) -> String? {
    do throws(Launch.Misuse) {
      _ = try Launch(arguments: arguments)
      return nil
    } catch {
      return error.reason
    }
  }

  @Test func filesStandBehindTheirPositions() throws {
    let launch = try Launch(arguments: ["a", "+3", "b", "+2:7", "-", "+", "c"])
    #expect(
      launch.files == [
        .init(path: "a"), .init(path: "b", position: FilePosition(line: 3)),
        .init(path: "-", position: FilePosition(line: 2, column: 7)),
        .init(path: "c", position: .end),
      ])
    #expect(!launch.isReadOnly && launch.core == nil && launch.recordPath == nil)
  }

  @Test func optionsStandAnywhere() throws {
    let launch = try Launch(arguments: ["a", "--core", "ssh host x", "--readonly", "--record=f=g", "b"])
    #expect(launch.files.map(\.path) == ["a", "b"])
    #expect(launch.isReadOnly)
    #expect(launch.core == "ssh host x")
    #expect(launch.recordPath == "f=g")
  }

  @Test func behindTwoDashesThereAreOnlyFiles() throws {
    #expect(try Launch(arguments: ["--", "-x", "+1", "--"]).files.map(\.path) == ["-x", "+1", "--"])
  }

  @Test func misuseIsNamed() {
    #expect(reason("--no-such", "a") == "Unknown option '--no-such'")
    #expect(reason("--readonly=yes") == "Unknown option '--readonly=yes'")
    #expect(reason("--core") == "--core needs a value")
    #expect(reason("+1") == "+LINE[:COLUMN] stands before a FILE")
    #expect(reason("+0", "a") == "+LINE[:COLUMN] stands before a FILE")
    #expect(reason("+1:x", "a") == "+LINE[:COLUMN] stands before a FILE")
  }
}
