import EditorProtocol
import JSON
import Rope
import TestSupport
import Testing

@testable import EditorCore

/// Places that were set in a text of an earlier time, many messages before anything is shown: lines on the screen or asked for, where
/// to scroll to, drags, matches, marks, parts of long lines. While a file is loaded, read again, and edited in two views.
@Suite struct StalePlaceTests {
  private static let path = "/files/a"
  private static let text =
    (0..<60).map { "line \($0) of some words\n" }.joined() + String(repeating: "long ", count: 3400)
    + "\né 日本 👩‍🚀\r\nend"

  @Test(arguments: 0..<6 as Range<UInt64>)
  func allPlacesLieInTheText(seed: UInt64) throws {
    var random = SplitMix64(state: seed)
    let disk = SimulatedDisk(folders: ["/", "/files", "/recovery"])
    disk.write(Array(Self.text.utf8), to: Self.path)
    let folder = RecoveryFolder(at: "/recovery", system: disk)
    var small = folder
    small?.largestRecordAtOnce = 500
    small?.pieceOfLongRecord = 400
    let driver = CoreDriver(handshake: true, system: disk, recoveryFolder: seed % 3 == 0 ? small : folder)
    (driver.session.files.loader.firstByteCount, driver.session.files.loader.pieceByteCount) = (200, 1000)
    let isHeld = seed % 2 == 0
    disk.hold(isHeld)
    let views = [driver.open(Self.path), driver.open(Self.path)]
    for view in views { driver.session.views[view]?.search.replacementsAtOnce = 20 }
    driver.document?.plugins.areThere = true
    let plugin = FuzzPlugin(
      in: driver.session, number: 0, revision: 0,
      text: driver.document.map { $0.buffer.text.bytes(in: $0.buffer.text.fullRange) } ?? [])
    plugin.send(["method": "add_scopes", "params": ["view_id": "view-id-1", "scopes": [["comment"]]]])
    for step in 0..<24 {
      if step == 10 { disk.hold(false) }
      for _ in 0..<Int.random(in: 1..<8, using: &random) {
        driver.perform(views.randomElement(using: &random) ?? views[0], command(&random))
      }
      doMore(driver, plugin, disk, &random)
      // Doubled texts would only take time.
      if let text = driver.document?.buffer.text, text.byteCount > 25_000 {
        for edit in [PlainEdit.selectAll, .deleteBackward] { driver.perform(views[0], .plain(edit)) }
      }
      guard Bool.random(using: &random) else { continue }
      driver.session.views.sendUpdates()
      driver.settle()
      for view in views { try expectShown(driver, view, "step \(step)") }
    }
    disk.hold(false)
    driver.run { driver.document?.file.loadJob == nil && !driver.session.reloads.isReading }
    driver.session.views.sendUpdates()
    driver.settle()
    for view in views { try expectShown(driver, view, "the end") }
  }

  private func expectShown(_ driver: CoreDriver, _ id: ViewID, _ time: String) throws {
    let view = try #require(driver.session.views[id])
    let difference = driver.difference(in: view)
    #expect(difference == nil, "\(id), \(time)")
  }

  private func command(_ random: inout SplitMix64) -> EditCommand {
    let place = LineColumn(
      line: Int.random(in: 0..<90, using: &random),
      column: [0, 3, 20, 16_500].randomElement(using: &random) ?? 0)
    let first = Int.random(in: -5..<80, using: &random)
    let plain: [PlainEdit] = [
      .deleteBackward, .deleteWordForward, .deleteToEndOfParagraph, .yank, .undo, .undo, .redo, .transpose,
      .duplicateLine,
      .insertNewline, .moveToEndOfDocument, .moveToBeginningOfDocument, .moveDown, .pageDown, .pageUpSelecting,
      .addSelectionBelow, .selectionIntoLines, .collapseSelections, .findAll, .replaceNext, .replaceAll, .refuseMatch,
      .moveToRightEndOfLine,
    ]
    return switch Int.random(in: 0..<25, using: &random) {
    case 0: .scroll(first: first, end: first + Int.random(in: 0..<30, using: &random))
    case 1: .requestLines(first: first, end: first + Int.random(in: 0..<30, using: &random))
    case 24: .alsoShown([max(first, 0)..<max(first, 0) + 12, 40..<60])
    case 2: .resize(width: [0, 7, 30, 1000].randomElement(using: &random) ?? 0, height: 10)
    case 3: .gesture(place, .select([.point, .word, .line].randomElement(using: &random) ?? .point, multi: true))
    case 4, 5: .gesture(place, .drag)
    case 6: .gesture(place, .selectExtend(.line))
    case 7: .gesture(place, .select(.word, multi: false))
    case 8: .plain(.selectAll)
    case 9: .plain(.deleteBackward)
    case 10: .find(FindQuery(["o", "n", "e "].randomElement(using: &random) ?? "", caseSensitive: false))
    case 11: .multiFind([FindQuery("long", caseSensitive: true), FindQuery("i.e", caseSensitive: true, regex: true)])
    case 12: .highlightFind(visible: true)
    case 13: .findNext(FindMotion(wrapAround: true))
    case 14: .replace(["", "X", "replaced"].randomElement(using: &random) ?? "", preserveCase: false)
    case 15: .gotoLine(first)
    case 16: .insert(["x", "é", "\u{301}", "two\nlines"].randomElement(using: &random) ?? "")
    default: .plain(plain.randomElement(using: &random) ?? .undo)
    }
  }

  /// What comes from elsewhere.
  private func doMore(
    _ driver: CoreDriver, _ plugin: FuzzPlugin, _ disk: SimulatedDisk, _ random: inout SplitMix64
  ) {
    switch Int.random(in: 0..<8, using: &random) {
    case 0:
      let count = plugin.text?.count ?? 0
      guard count > 0 else { return }
      let start = Int.random(in: 0..<count, using: &random)
      plugin.mark(start..<Int.random(in: start...count, using: &random), in: ViewID("view-id-1"))
    case 1:
      let text = Bool.random(using: &random) ? "short" : Self.text + "more\n"
      disk.write(Array(text.utf8), to: Self.path)
      if let document = driver.document { driver.session.reloads.reload(document) }
    case 2: if let document = driver.document { wrap(document) }
    case 3: _ = driver.loop.iterate()
    default: break
    }
  }
  private func wrap(_ document: Document) {
    document.settings.config.wrapsWords.toggle()
    document.views.needUpdate()
  }
}
