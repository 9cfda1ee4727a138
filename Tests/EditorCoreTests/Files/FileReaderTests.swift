import Glibc
import Rope
import Testing

@testable import EditorCore

@Suite struct FileReaderTests {
  private let folder = TemporaryFolder()
  private let system = LinuxFileSystem()

  @Test func readsEveryByte() throws {
    let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 7) }
    let file = fopen(folder("a"), "w")
    fwrite(bytes, 1, bytes.count, file)
    fclose(file)
    let reader = try FileReader(folder("a"), system: system)
    let rope = try reader.readAll()
    #expect(rope.bytes(in: rope.fullRange) == bytes)
    #expect(reader.contentHash == bytes.withUnsafeBytes { ContentHash.of($0) })
    #expect(reader.isAtEnd)
  }

  /// The kernel's own files do not say how large they are.
  @Test func readsMoreThanAFileSaysItHas() throws {
    let reader = try FileReader("/proc/self/mountinfo", system: system)
    #expect(reader.status.size == 0)
    let rope = try reader.readAll()
    #expect(rope.byteCount > 0 && rope.bytes(in: rope.endOffset - 1..<rope.endOffset) == [0x0A])
    #expect(reader.isAtEnd)
    folder.write("", to: "empty")
    let empty = try FileReader(folder("empty"), system: system)
    #expect(try empty.readAll().byteCount == 0)
    #expect(empty.isAtEnd)
  }

  @Test func refusesWhatIsNoFile() {
    mkfifo(folder("fifo"), 0o600)
    #expect(failure { _ = try FileReader(folder("fifo"), system: system) }?.code == .notARegularFile)
    #expect(failure { _ = try FileReader("/dev/null", system: system) }?.code == .notARegularFile)
    #expect(failure { _ = try FileReader(folder.path, system: system) }?.code == .notARegularFile)
    #expect(failure { _ = try FileReader(folder("none"), system: system) }?.code == .notFound)
  }

  @Test func namesWhatIsMissingWhenTheFileShrinks() throws {
    folder.write(String(repeating: "x", count: 2 << 20), to: "a")
    let reader = try FileReader(folder("a"), system: system)
    var builder = Rope.Builder()
    #expect(try reader.readPiece(into: &builder))
    #expect(truncate(folder("a"), 100) == 0)
    let error = failure { _ = try reader.readPiece(into: &builder) }
    #expect(error?.code == .changedOnDisk)
    #expect(error?.description.contains("2097152") == true)
  }

  @Test func noticesAnotherWriter() throws {
    folder.write("one", to: "a")
    let reader = try FileReader(folder("a"), system: system)
    folder.write("ONE", to: "a")
    #expect(failure { _ = try reader.readAll() }?.code == .changedOnDisk)
  }

  @Test func everyFailedCallIsAnError() throws {
    folder.write("some text", to: "a")
    let counting = FaultyFileSystem()
    _ = try FileReader(folder("a"), system: counting).readAll()
    for call in counting.calls.indices {
      let faulty = FaultyFileSystem(.error(EIO, atCall: call))
      #expect(failure { _ = try FileReader(folder("a"), system: faulty).readAll() }?.code == .system)
      #expect(faulty.openDescriptors.isEmpty)
    }
  }

  /// Test vectors of the specification.
  @Test func hashIsXXH64() {
    func hash(_ text: String) -> UInt64 { Array(text.utf8).withUnsafeBytes { ContentHash.of($0) } }
    #expect(hash("") == 0xEF46_DB37_51D8_E999)
    #expect(hash("a") == 0xD24E_C4F1_A98C_6E5B)
    #expect(hash("abc") == 0x44BC_2CF5_AD77_0999)
    let long = Array((0..<200).map { UInt8($0) })
    for cut in [0, 1, 31, 32, 33, 100, 199, 200] {
      var pieces = ContentHash()
      Array(long[..<cut]).withUnsafeBytes { pieces.update($0) }
      Array(long[cut...]).withUnsafeBytes { pieces.update($0) }
      #expect(pieces.value == long.withUnsafeBytes { ContentHash.of($0) })
    }
  }
}

/// Programs append to their logs all the time.
@Suite struct GrowingFileTests {
  private let folder = TemporaryFolder()
  private let system = LinuxFileSystem()

  private func append(_ text: String) {
    let file = fopen(folder("a"), "a")
    fputs(text, file)
    fclose(file)
  }

  @Test func isReadAsFarAsItWas() throws {
    folder.write("a log\n", to: "a")
    let reader = try FileReader(folder("a"), system: system, pieceByteCount: 4)
    var builder = Rope.Builder()
    #expect(try reader.readPiece(into: &builder))
    append("more of it\n")
    while try reader.readPiece(into: &builder) {}
    #expect(builder.finish() == "a log\n")
    #expect(reader.hasGrown)
    let again = try FileReader(folder("a"), system: system, continuing: reader.status)
    #expect(try again.readAll() == "a log\n")
  }

  /// Written anew, and longer: not what was read of it.
  @Test func isNotMixedWithAnother() throws {
    folder.write("a log\n", to: "a")
    let reader = try FileReader(folder("a"), system: system, pieceByteCount: 4)
    var builder = Rope.Builder()
    #expect(try reader.readPiece(into: &builder))
    folder.write("something else\n", to: "a")
    #expect(failure { while try reader.readPiece(into: &builder) {} }?.code == .changedOnDisk)
  }

  @Test func isLoadedAsFarAsItWasAndThenAgain() throws {
    folder.write("a log\n", to: "a")
    let driver = CoreDriver(handshake: true)
    driver.session.files.loader.firstByteCount = 2
    driver.session.files.loader.pieceByteCount = 2
    driver.open(folder("a"))
    append("more of it\n")
    driver.run { driver.document?.buffer.text == "a log\nmore of it\n" }
    #expect(driver.document?.buffer.history.isAtSavedState == true)
    #expect(driver.alerts.isEmpty)
    driver.edit("insert", ["chars": "x"])
    driver.notify(.save(driver.view, path: folder("a")))
    #expect(folder.contents("a") == "xa log\nmore of it\n")
  }
}

@Suite struct FileImageTests {
  @Test(arguments: [
    "", "a", "a\n", "a\r\nb\r\n", "a\r\nb\nc", "\u{FEFF}", "\u{FEFF}a\r\n", "\r\r\n", "a\rb",
  ])
  func bytesAreKept(contents: String) throws {
    let (image, text) = FileImage.split(Rope(contents))
    #expect(try image.bytes(of: text) == Rope(contents))
    #expect(image.text(of: Rope(contents)) == text)
    #expect(image.encoding == (contents.hasPrefix("\u{FEFF}") ? .utf8WithMark : .utf8))
    var ended = image
    ended.addedEnd = "\r\n"
    #expect(try ended.bytes(of: text) == Rope(contents + "\r\n"))
    #expect(try ended.text(of: ended.bytes(of: text)) == text)
  }

  @Test func bytesOfAnotherImageAreRefused() {
    var image = FileImage(.utf8WithMark)
    #expect(image.text(of: "a\n") == nil)
    #expect(image.text(of: "") == nil)
    image = FileImage()
    image.addedEnd = "\n"
    #expect(image.text(of: "a") == nil)
    #expect(image.text(of: "") == nil)
  }

  @Test func formatIsSeen() {
    #expect(FileImage.split("\u{FEFF}x").text == "x")
    #expect(TextFormat(of: "a\r\nb\r\n").lineEnding == .carriageReturnLineFeed)
    #expect(!TextFormat(of: "a\r\nb\r\n").hasMixedLineEndings)
    #expect(TextFormat(of: "a\r\nb\n").hasMixedLineEndings)
    #expect(TextFormat(of: "a\nb\n").lineEnding == .lineFeed)
    #expect(TextFormat(of: "a\n").endsWithNewline && !TextFormat(of: "a").endsWithNewline)
    #expect(!TextFormat(of: Rope([0xFF, 0x0A])).isValidUTF8)
    // The pair lies across two chunks.
    let text = Rope(String(repeating: "x", count: 999) + "\r\n")
    #expect(TextFormat(of: text).lineEnding == .carriageReturnLineFeed)
  }
}
