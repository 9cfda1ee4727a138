/// What a document knows of its file.
struct DocumentFile {
  var path: String?
  /// It as it was read or written last.
  var version = FileVersion.none
  /// How the next save lays the text down, but for a line end that it adds.
  var image = FileImage()
  var format = TextFormat()
  /// The file of which only the first part is here, as the rest could not be read.
  var partlyReadPath: String?
  /// A later state of the file that the front end has been told of.
  var changedStatus: FileStatus?
  /// The watcher's number of it.
  var watch: Int?
  /// Names the load that runs.
  var loadJob: Int?
  var savesInFlight = 0

  var isInWantedEncoding: Bool { version.status == nil || image.encoding == version.image.encoding }
}
