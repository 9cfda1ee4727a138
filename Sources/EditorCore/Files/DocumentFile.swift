import EditorProtocol

/// What a document knows of its file.
struct DocumentFile {
  /// As it was typed: what front ends know it by.
  var path: String?
  /// Nil as well where the working folder, which `path` is of, has been removed.
  var place: FilePlace?
  /// It as it was read or written last.
  var version = FileVersion.none
  /// How the next save lays the text down, but for a line end that it adds.
  var image = FileImage()
  /// Of the text as it was read.
  var format = TextFormat()
  /// Of the states of the file that other programs have made, the last that is in the text, which undo leads to from before it.
  var textEdition = 0
  /// The last that is in the file.
  var fileEdition = 0
  private(set) var lastEdition = 0
  /// The file of which only the first part is here, as the rest could not be read.
  var partlyRead: FilePlace?
  /// A later state of the file that the front end has been told of.
  var changedStatus: FileStatus?
  /// Another program may have written to it since it was begun to be read.
  var wantsCheck = false
  /// It was found to be missing then, and not to be back since.
  var missedSince: ContinuousClock.Instant?
  /// It has stayed away, or something else is in its place: the text is here alone.
  var isGone = false
  /// The watcher's number of it.
  var watch: Int?
  /// Names the load that runs.
  var loadJob: Int?
  var savesInFlight = 0
  /// Counted where a text is taken to be saved, and where its save begins: what was read of the file before either is no news behind it.
  var saveSteps = 0

  /// What another program wrote is not in the text: a save would take it away.
  func isOutdated(_ edition: Int) -> Bool { edition < fileEdition }

  /// The same name and the same number lead to it.
  func isFoundLike(_ other: DocumentFile) -> Bool {
    let (status, known) = (version.status, other.version.status)
    return (status?.inode, status?.device) == (known?.inode, known?.device) && place == other.place
      && path.map { path in other.path.map { path.isSamePath(as: $0) } ?? false } ?? (other.path == nil)
  }

  var origin: TextOrigin {
    get { TextOrigin(encoding: image.encoding, edition: textEdition, format: format) }
    set { (image.encoding, textEdition, format) = (newValue.encoding, newValue.edition, newValue.format) }
  }

  /// The file was found to be that.
  mutating func note(_ found: FileVersion) {
    if found.contents != version.contents {
      lastEdition += 1
      fileEdition = lastEdition
    }
    version = found
  }

  var isInWantedEncoding: Bool { version.status == nil || image.encoding == version.image.encoding }
}

/// What of a file a text is, as far as undo changes that.
struct TextOrigin: Equatable {
  /// That the next save is to be in.
  var encoding: TextEncoding
  /// ``DocumentFile/textEdition``
  var edition: Int
  /// ``DocumentFile/format``
  var format: TextFormat
}
