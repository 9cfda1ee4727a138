import EditorProtocol
import EventLoop
import Glibc
import Rope
import Testing

@testable import EditorCore

/// The contents that a journal's edits are made to, for when the file has them no more.
@Suite struct BaseCopyTests: JournalSuite {
  let files = TemporaryFolder()

  private func open(largestCopy: Int = 1 << 20) throws -> CoreDriver {
    var folder = try recoveryFolder()
    folder.largestBaseCopy = largestCopy
    let driver = CoreDriver(handshake: true, recoveryFolder: folder)
    driver.open(path)
    return driver
  }

  private func hasCopy() -> Bool {
    (try? LinuxFileSystem().names(inDirectory: files("recovery")))?.contains { $0.hasSuffix("-base") } == true
  }

  /// What is made of the journal that was left.
  private func recoverableText() throws -> Rope? {
    let folder = try recoveryFolder()
    return switch try recovered(folder).replay(on: (try? file()) ?? .none, folder: folder) {
    case .text(let text, _, _): text
    case .textOfCopy(let text, _): text
    default: nil
    }
  }

  @Test(arguments: [true, false]) func aLargeTextIsCopiedOnceItsFileHasChanged(isRemoved: Bool) throws {
    files.write("large text", to: "a")
    var driver: CoreDriver? = try open(largestCopy: 4)
    driver?.edit("insert", ["chars": "x"])
    driver?.document?.recovery.journal?.synchronize()
    driver?.session.files.service.afterOthers {}
    #expect(!hasCopy())
    if isRemoved { unlink(path) } else { files.write("another's", to: "a") }
    driver?.run { hasCopy() }
    driver?.edit("insert", ["chars": "y"])
    driver = nil
    #expect(try recoverableText() == "xylarge text")
  }

  @Test func aCopyThatTheDeadHadNotMadeIsMadeOfWhatIsRestored() throws {
    files.write("text", to: "a")
    var driver: CoreDriver? = try open(largestCopy: 0)
    driver?.edit("insert", ["chars": "one "])
    driver?.document?.recovery.journal?.synchronize()
    driver = nil
    #expect(!hasCopy())
    driver = try open()
    let offer = try #require(driver?.recoveryOffers.last)
    let view = try #require(driver?.view)
    driver?.notify(.recover(view, recoveryID: offer.recoveryID, .restore))
    driver?.run { hasCopy() }
    files.write("another's", to: "a")
    driver?.edit("insert", ["chars": "two "])
    driver = nil
    let text = try #require(try recoverableText())
    #expect(text.string(in: text.fullRange).hasSuffix("text"), "\(text)")
  }
}
