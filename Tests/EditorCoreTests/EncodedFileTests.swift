import EditorProtocol
import JSON
import JSONRPC
import Rope
import TestSupport
import Testing

@testable import EditorCore

/// Files in other encodings than UTF-8, opened, edited, saved and recovered.
@Suite struct EncodedFileTests: JournalSuite {
  let files = TemporaryFolder()

  private func open(recovering: Bool = false) throws -> CoreDriver {
    let driver = CoreDriver(handshake: true, recoveryFolder: recovering ? try recoveryFolder() : nil)
    driver.open(path)
    return driver
  }

  private func save(_ driver: CoreDriver) -> Result<JSONValue, ResponseError> {
    driver.request(
      "xiedit_save",
      ["view_id": .string(driver.view.rawValue), "file_path": .string(path), "overwrite": "if_unchanged"])
  }

  private var bytes: [UInt8] { (try? contents()).map { $0.bytes(in: $0.fullRange) } ?? [] }

  private func awaitLoad(_ driver: CoreDriver) { driver.run { driver.document?.file.loadJob == nil } }

  @Test func whatIsTypedIsWrittenInTheFilesEncoding() throws {
    files.write([0x63, 0x61, 0x66, 0xE9, 0x0A], to: "a")
    let driver = try open()
    #expect(driver.fileInformation?.encoding == .latin1)
    #expect(driver.document?.buffer.text == "café\n")
    driver.edit("insert", ["chars": "é"])
    #expect(try save(driver).get() == [:])
    #expect(bytes == [0xE9, 0x63, 0x61, 0x66, 0xE9, 0x0A])
    #expect(driver.document?.buffer.history.isAtSavedState == true)
  }

  /// What was piped in, before its first save; undo gives the empty buffer's back.
  @Test func bytesThatArePutInKeepTheirEncoding() throws {
    let driver = CoreDriver(handshake: true)
    driver.open(nil)
    driver.edit("xiedit_insert_bytes", ["bytes": "caf\u{E9}\r\n"])
    #expect(driver.document?.buffer.text == "café\r\n" && driver.document?.buffer.history.isAtSavedState == false)
    #expect(
      driver.fileInformation?.encoding == .latin1 && driver.fileInformation?.lineEnding == .carriageReturnLineFeed)
    driver.edit("undo")
    #expect(driver.document?.buffer.text == "" && driver.fileInformation?.encoding == .utf8)
    driver.edit("redo")
    #expect(try save(driver).get() == [:])
    #expect(bytes == [0x63, 0x61, 0x66, 0xE9, 0x0D, 0x0A])
  }

  @Test func bytesThatArePutIntoATextAreTextOfIt() throws {
    files.write(Array("é\n".utf8), to: "a")
    let driver = try open()
    driver.edit("xiedit_insert_bytes", ["bytes": "caf\u{E9}\n"])
    #expect(driver.document?.buffer.text == "café\né\n" && driver.fileInformation?.encoding == .utf8)
  }

  @Test func aSaveOfWhatTheEncodingHasNotFailsAndNamesIt() throws {
    files.write([0x63, 0x61, 0x66, 0xE9, 0x0A], to: "a")
    let driver = try open()
    driver.edit("insert", ["chars": "ab日"])
    guard case .failure(let error) = save(driver) else {
      Issue.record("it was saved")
      return
    }
    #expect(error.code == ErrorCode.notEncodable)
    #expect(error.message.contains("line 1, column 3: ISO-8859-1 has no “日” (U+65E5)"))
    #expect(error.data == "line 1, column 3: ISO-8859-1 has no “日” (U+65E5)")
    #expect(bytes == [0x63, 0x61, 0x66, 0xE9, 0x0A])
    #expect(driver.document?.buffer.history.isAtSavedState == false)
    // What comes after it is not held up by it.
    driver.edit("delete_backward")
    #expect(try save(driver).get() == [:])
    #expect(bytes == [0x61, 0x62, 0x63, 0x61, 0x66, 0xE9, 0x0A])
  }

  @Test(arguments: EncodingTests.samples) func bytesAreKept(_ sample: EncodingTests.Sample) throws {
    files.write(sample.bytes, to: "a")
    let driver = try open()
    driver.notify(.modifyUserConfig(.userOverride(driver.view), changes: ["save_with_newline": false]))
    #expect(driver.fileInformation?.encoding == sample.encoding)
    #expect(try save(driver).get() == [:])
    #expect(bytes == sample.bytes)
    driver.edit("insert", ["chars": "typed"])
    #expect(try save(driver).get() == [:])
    #expect(bytes.count >= sample.bytes.count + 5)
    driver.edit("undo")
    #expect(try save(driver).get() == [:])
    #expect(bytes == sample.bytes)
  }

  @Test func randomBytesAreKept() throws {
    var random = SystemRandomNumberGenerator()
    let driver = CoreDriver(handshake: true)
    driver.notify(.modifyUserConfig(.general, changes: ["save_with_newline": false]))
    for round in 0..<120 {
      let high: [UInt8] = round % 2 == 0 ? Array(0...255) : Array(0xC0...0xFF)
      let whole = (0..<Int.random(in: 1...60, using: &random)).map { _ in
        Bool.random(using: &random)
          ? high.randomElement(using: &random) ?? 0 : UInt8.random(in: 0x61...0x7A, using: &random)
      }
      files.write(whole, to: "a")
      driver.open(path)
      driver.edit("insert", ["chars": "typed"])
      _ = try save(driver).get()
      driver.edit("undo")
      _ = try save(driver).get()
      #expect(bytes == whole)
      driver.notify(.closeView(driver.view))
    }
  }

  /// The first accent is in a later part, in the first part, or there is no ASCII at all.
  @Test(arguments: [0, 100, 600_000, 1_300_000], [TextEncoding.latin1, .gb18030, .utf16LittleEndianWithMark])
  func largeFilesAreDecodedByTheLoader(asciiCount: Int, encoding: TextEncoding) throws {
    let word = encoding == .latin1 ? "é à la carte\n" : "中文 text\n"
    let text = Rope(String(repeating: "x", count: asciiCount) + "\n" + String(repeating: word, count: 20_000))
    let whole = try FileImage(encoding).bytes(of: text)
    let array = whole.bytes(in: whole.fullRange)
    files.write(array, to: "a")
    let driver = try open()
    #expect(driver.document?.file.loadJob != nil)
    driver.edit("insert", ["chars": "é"])
    awaitLoad(driver)
    #expect(driver.alerts == [])
    #expect(driver.fileInformation?.encoding == encoding)
    driver.edit("undo")
    #expect(driver.document?.buffer.text == text)
    #expect(try save(driver).get() == [:])
    #expect(bytes == array)
  }

  private func choose(_ encoding: TextEncoding, readsAgain: Bool = false, in driver: CoreDriver) {
    driver.notify(.setEncoding(driver.view, encoding, readsAgain: readsAgain))
    driver.run { !driver.session.reloads.isReading }
  }

  /// And what is saved then is what was read first.
  @Test func undoOfReadingAgainTakesTheEncodingBack() throws {
    let whole = Array("é日本\n".utf8)
    files.write(whole, to: "a")
    let driver = try open()
    choose(.latin1, readsAgain: true, in: driver)
    #expect(driver.fileInformation?.encoding == .latin1)
    driver.edit("undo")
    #expect(driver.document?.buffer.text == "é日本\n")
    #expect(driver.fileInformation?.encoding == .utf8)
    #expect(try save(driver).get() == [:])
    #expect(bytes == whole)
    driver.edit("redo")
    #expect(driver.fileInformation?.encoding == .latin1)
    driver.edit("undo")
    driver.edit("insert", ["chars": "ü"])
    #expect(try save(driver).get() == [:])
    #expect(driver.document?.buffer.text == "é日本\nü")
    #expect(bytes == whole + Array("ü\n".utf8))
  }

  /// Also when it was killed before it was saved.
  @Test func undoOfReadingAgainIsRecovered() throws {
    let whole = Array("é日本\n".utf8)
    files.write(whole, to: "a")
    var driver: CoreDriver? = try open(recovering: true)
    choose(.latin1, readsAgain: true, in: try #require(driver))
    driver?.edit("undo")
    driver?.awaitJournal()
    driver = nil
    let next = try open(recovering: true)
    restore(next)
    #expect(next.document?.buffer.text == "é日本\n")
    #expect(next.fileInformation?.encoding == .utf8)
    #expect(try save(next).get() == [:])
    #expect(bytes == whole)
    // And what it was before that undo is in the encoding that it was read in.
    next.edit("redo")
    #expect(next.fileInformation?.encoding == .latin1)
    #expect(try save(next).get() == [:])
    #expect(bytes == whole)
  }

  /// And when more was typed before that undo was written down.
  @Test func undoOfReadingAgainIsRecoveredAsItsOwnStep() throws {
    let whole = Array("é日本\n".utf8)
    files.write(whole, to: "a")
    var driver: CoreDriver? = try open(recovering: true)
    choose(.latin1, readsAgain: true, in: try #require(driver))
    if let driver {
      driver.perform(driver.view, .plain(.undo))
      driver.perform(driver.view, .insert("x"))
      driver.session.views.sendUpdates()
      #expect(driver.document?.buffer.text == "é日本\nx")
    }
    driver?.awaitJournal()
    driver = nil
    let next = try open(recovering: true)
    restore(next)
    #expect(next.document?.buffer.text == "é日本\nx")
    next.edit("undo")
    #expect(next.document?.buffer.text == "é日本\n")
    #expect(next.fileInformation?.encoding == .utf8)
    #expect(try save(next).get() == [:])
    #expect(bytes == whole)
  }

  private func restore(_ driver: CoreDriver) {
    for offer in driver.recoveryOffers {
      driver.notify(.recover(driver.view, recoveryID: offer.recoveryID, .restore))
    }
  }

  @Test(arguments: [true, false], [true, false])
  func whatWasChosenIsRecovered(isChosenFirst: Bool, isResumed: Bool) throws {
    files.write([0x63, 0x61, 0x66, 0xE9, 0x0A], to: "a")
    var driver: CoreDriver? = try open(recovering: true)
    if isChosenFirst, let driver { choose(.utf8, in: driver) }
    driver?.edit("insert", ["chars": "日"])
    if !isChosenFirst, let driver { choose(.utf8, in: driver) }
    let id = driver?.fileInformation?.recoveryID
    driver?.awaitJournal()
    driver = nil
    let next = CoreDriver(handshake: true, recoveryFolder: try recoveryFolder())
    if isResumed {
      _ = next.request("new_view", ["file_path": .string(path), "xiedit": ["recover": .string(try #require(id))]])
    } else {
      next.open(path)
      restore(next)
    }
    let document = try #require(next.session.views.documents.first)
    #expect(document.buffer.text == "日café\n")
    #expect(next.fileInformation?.encoding == .utf8)
    #expect(!document.isPristine)
    next.session.files.save(document, to: path)
    next.settle()
    #expect(bytes == Array("日café\n".utf8))
  }

  /// After a save the journal says it of what comes then.
  @Test func whatWasChosenAfterASaveIsRecovered() throws {
    files.write([0x63, 0x61, 0x66, 0xE9, 0x0A], to: "a")
    var driver: CoreDriver? = try open(recovering: true)
    choose(.utf8, in: try #require(driver))
    driver?.edit("insert", ["chars": "x"])
    #expect(try driver.map { try save($0).get() } == [:])
    choose(.windows1252, in: try #require(driver))
    driver?.edit("insert", ["chars": "y"])
    driver?.awaitJournal()
    driver = nil
    let next = try open(recovering: true)
    restore(next)
    #expect(next.document?.buffer.text == "xycafé\n")
    #expect(next.fileInformation?.encoding == .windows1252)
  }

  /// What was shown as UTF-8 stays that.
  @Test func aLargeFileThatBeginsAsUTF8StaysThat() throws {
    let whole = Array(String(repeating: "é\n", count: 400_000).utf8) + Array(repeating: 0xE9, count: 1000)
    files.write(whole, to: "a")
    let driver = try open()
    awaitLoad(driver)
    #expect(driver.fileInformation?.encoding == nil)
    #expect(driver.document?.buffer.text == Rope(whole))
  }

  @Test func anotherProgramsTextIsReadInTheEncodingOfTheFile() throws {
    files.write([0x63, 0x61, 0x66, 0xE9, 0x0A], to: "a")
    let driver = try open()
    files.write([0x61, 0x62, 0x63, 0xE8, 0x0A, 0x0A], to: "a")
    driver.notify(.reload(driver.view))
    driver.run { driver.document?.buffer.text == "abcè\n\n" }
    #expect(driver.document?.buffer.text == "abcè\n\n")
    files.write("plain\n", to: "a")
    driver.notify(.reload(driver.view))
    driver.run { driver.document?.buffer.text == "plain\n" }
    #expect(driver.fileInformation?.encoding == .latin1)
  }

  // MARK: Another encoding is chosen

  @Test func aFileIsReadAgainInAnotherEncoding() throws {
    // As German it is ambiguous.
    files.write([0xC4, 0xD6, 0x20, 0xC4, 0xD6, 0x0A], to: "a")
    let driver = try open(recovering: true)
    #expect(driver.fileInformation?.encoding == .gb18030)
    driver.notify(.setEncoding(driver.view, .latin1, readsAgain: true))
    driver.run { driver.session.reloads.isReading == false }
    #expect(driver.document?.buffer.text == "ÄÖ ÄÖ\n")
    #expect(driver.fileInformation?.encoding == .latin1)
    #expect(driver.cache.isPristine)
    driver.edit("insert", ["chars": "é"])
    // What is recovered is in the encoding that was chosen.
    let next = CoreDriver(handshake: true, recoveryFolder: try recoveryFolder())
    let id = try #require(driver.fileInformation?.recoveryID)
    driver.awaitJournal()
    driver.document?.recovery.journal = nil
    _ = next.request("new_view", ["file_path": .string(path), "xiedit": ["recover": .string(id)]])
    #expect(next.session.views.documents.first?.buffer.text == "éÄÖ ÄÖ\n")
    #expect(next.session.views.documents.first?.file.image.encoding == .latin1)
  }

  @Test func whatIsNoTextInAnEncodingIsNotReadInIt() throws {
    files.write([0x63, 0xE9, 0x0A], to: "a")
    let driver = try open()
    for encoding in [TextEncoding.utf16LittleEndian, .gb18030] {
      driver.notify(.setEncoding(driver.view, encoding, readsAgain: true))
      driver.run { driver.session.reloads.isReading == false }
      #expect(driver.alerts.last == "cannot read \(path) (it is no text in \(encoding.rawValue))")
    }
    #expect(driver.document?.buffer.text == "cé\n")
    #expect(driver.fileInformation?.encoding == .latin1)
  }

  @Test(arguments: TextEncoding.allCases) func aTextIsSavedInAnotherEncoding(_ encoding: TextEncoding) throws {
    files.write("plain\n", to: "a")
    let driver = try open()
    driver.notify(.setEncoding(driver.view, encoding, readsAgain: false))
    #expect(driver.fileInformation?.encoding == encoding)
    #expect(driver.cache.isPristine == (encoding == .utf8))
    #expect(try save(driver).get() == [:])
    #expect(driver.cache.isPristine)
    #expect(try Rope(bytes) == FileImage(encoding).bytes(of: "plain\n"))
    driver.notify(.setEncoding(driver.view, .utf8, readsAgain: false))
    #expect(try save(driver).get() == [:])
    #expect(bytes == Array("plain\n".utf8))
  }

  // MARK: Recovery

  /// The core dies with edits, with a save and edits behind it, or while it loads: no byte of the file is lost, and none is
  /// of another encoding.
  @Test(arguments: [false, true]) func whatWasTypedIsRecovered(savesFirst: Bool) throws {
    files.write([0x63, 0x61, 0x66, 0xE9, 0x0A], to: "a")
    var driver: CoreDriver? = try open(recovering: true)
    driver?.edit("insert", ["chars": "é"])
    if savesFirst { driver?.edit("insert", ["chars": "ü"]) }
    if savesFirst, let driver { _ = try save(driver).get() }
    driver?.edit("insert", ["chars": "ö"])
    driver?.awaitJournal()
    driver = nil
    let next = try open(recovering: true)
    let offer = try #require(next.recoveryOffers.last)
    #expect(!offer.baseChanged)
    next.notify(.recover(next.view, recoveryID: offer.recoveryID, .restore))
    #expect(next.document?.buffer.text == (savesFirst ? "éüöcafé\n" : "éöcafé\n"))
    #expect(next.fileInformation?.encoding == .latin1)
    _ = try save(next).get()
    #expect(bytes == (savesFirst ? [0xE9, 0xFC] : [0xE9]) + [0xF6, 0x63, 0x61, 0x66, 0xE9, 0x0A])
  }

  @Test(arguments: [true, false]) func whatWasTypedWhileALargeFileWasLoadedIsRecovered(isLoaded: Bool) throws {
    let whole = Array("begin\n".utf8) + Array(repeating: [0xE9, 0x0A], count: 100_000).joined()
    files.write(whole, to: "a")
    var driver: CoreDriver? = try open(recovering: true)
    driver?.edit("insert", ["chars": "é"])
    if isLoaded, let driver {
      awaitLoad(driver)
      driver.edit("move_to_end_of_document")
      driver.edit("insert", ["chars": "ü"])
    }
    driver?.awaitJournal()
    driver = nil
    let next = try open(recovering: true)
    let offer = try #require(next.recoveryOffers.last)
    next.notify(.recover(next.view, recoveryID: offer.recoveryID, .restore))
    awaitLoad(next)
    next.settle()
    next.notify(.modifyUserConfig(.userOverride(next.view), changes: ["save_with_newline": false]))
    _ = try save(next).get()
    #expect(bytes == [0xE9] + whole + (isLoaded ? [0xFC] : []))
  }

  /// The journal knows better in which encoding the file is than who looks at it.
  @Test(arguments: [true, false]) func aSaveInAnEncodingThatIsNotDetectedIsRecovered(isResumed: Bool) throws {
    files.write([0x82, 0xA0, 0x82, 0xA2, 0x82, 0xA4, 0x0A], to: "a")
    var driver: CoreDriver? = try open(recovering: true)
    #expect(driver?.fileInformation?.encoding == .shiftJIS)
    driver?.edit("select_all")
    driver?.edit("insert", ["chars": "x日y\n"])
    if let driver { _ = try save(driver).get() }
    #expect(FileImage.split(Rope(bytes)).image.encoding != .shiftJIS)
    driver?.edit("insert", ["chars": "本"])
    let id = driver?.fileInformation?.recoveryID
    driver?.awaitJournal()
    driver = nil
    let next = CoreDriver(handshake: true, recoveryFolder: try recoveryFolder())
    if isResumed {
      _ = next.request(
        "new_view", ["file_path": .string(path), "xiedit": ["recover": .string(try #require(id))]])
      #expect(next.session.views.documents.first?.buffer.text == "x日y\n本")
      #expect(next.session.views.documents.first?.file.image.encoding == .shiftJIS)
    } else {
      next.open(path)
      let offer = try #require(next.recoveryOffers.last)
      next.notify(.recover(next.view, recoveryID: offer.recoveryID, .restore))
      #expect(next.document?.buffer.text == "x日y\n本")
      #expect(next.fileInformation?.encoding == .shiftJIS)
      _ = try save(next).get()
      #expect(bytes == [0x78, 0x93, 0xFA, 0x79, 0x0A, 0x96, 0x7B, 0x0A])
    }
  }

  /// By the next front end: a save would have been in that. A file that is only looked at leaves nothing.
  @Test(arguments: [true, false], [true, false]) func aChosenEncodingIsOffered(isEnded: Bool, isChosen: Bool) throws {
    files.write("text\n", to: "a")
    var driver: CoreDriver? = try open(recovering: true)
    if isChosen, let driver { driver.notify(.setEncoding(driver.view, .utf16BigEndian, readsAgain: false)) }
    if isEnded { driver?.session.finish() }
    driver = nil
    #expect((files.journal(in: try recoveryFolder()) != nil) == isChosen)
    let next = try open(recovering: true)
    #expect(next.recoveryOffers.count == (isChosen ? 1 : 0))
    guard let offer = next.recoveryOffers.last else { return }
    next.notify(.recover(next.view, recoveryID: offer.recoveryID, .restore))
    #expect(next.fileInformation?.encoding == .utf16BigEndian && next.document?.isPristine == false)
    #expect(try save(next).get() == [:])
    #expect(bytes.starts(with: [0, 0x74, 0, 0x65]))
    next.session.finish()
    #expect(files.journal(in: try recoveryFolder()) == nil)
  }
}

extension CoreDriver {
  var fileInformation: FileInformation? {
    notifications.reversed().lazy.compactMap { if case .fileInformation(_, let file) = $0 { file } else { nil } }.first
  }

  var recoveryOffers: [RecoveryOffer] {
    notifications.compactMap { if case .recoveryFound(let offer) = $0 { offer } else { nil } }
  }
}
