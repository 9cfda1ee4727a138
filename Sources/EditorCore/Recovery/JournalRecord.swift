import EditorProtocol
import Rope

/// What one record of a journal says.
enum JournalRecord: Sendable, Equatable {
  /// The file that the edits after it are made to. The first record of a journal.
  case base(JournalBase)
  case edit(JournalEdit)
  /// A save of the text at `revision` to `path` was begun. If the file holds these contents, all edits up to it are in the file.
  /// Without a path it was to the file of the base, as journals of before there was one have it.
  case saving(revision: UInt64, contents: ContentIdentity, image: FileImage, path: String?)
  /// All of the file was read, and this is what it holds: the edits before were made to its beginning, what is loaded later coming
  /// behind it.
  case loaded(ContentIdentity, FileImage)
  /// What is selected now, without an edit.
  case selection(JournalSelection)
  /// What of the file the text now is.
  case origin(JournalOrigin)
  /// The undo steps at the base, or at the save that is told next.
  case history(JournalHistory)
  /// The next edit opens an undo step.
  case stepClosed
}

/// What of its file a text is, if it is not as the file was read or saved.
struct JournalOrigin: Sendable, Hashable {
  /// That the next save is to be in.
  var encoding: TextEncoding
  /// The text is from before another program wrote what the base is.
  var isOutdated = false
}

/// Which bytes a file holds.
package struct ContentIdentity: Sendable, Hashable {
  package var size: Int
  /// `ContentHash` of all of it.
  package var hash: UInt64

  package init(size: Int, hash: UInt64) {
    self.size = size
    self.hash = hash
  }

  /// O(bytes): for the worker thread.
  package init(of contents: Rope) {
    var hash = ContentHash()
    contents.forEachChunk(in: contents.fullRange) {
      hash.update($0)
      return true
    }
    self.init(size: contents.byteCount, hash: hash.value)
  }
}

/// The file that a journal's edits were made to, and how their text corresponds to it.
package struct JournalBase: Sendable, Hashable {
  /// Of a place; empty for a document without a file. Earlier versions wrote down what was typed, which may be relative, and is then no
  /// file's: nothing tells from which folder.
  package private(set) var path: String
  /// Nil if there was none.
  package var stamp: FileStatus.Stamp?
  /// Of what had been read.
  package var contents: ContentIdentity
  package var image: FileImage

  package init(of file: FilePlace?, version: FileVersion) {
    path = file?.path ?? ""
    (stamp, contents, image) = (version.status?.stamp, version.contents, version.image)
  }

  var origin: JournalOrigin { JournalOrigin(encoding: image.encoding) }

  init(path: String, stamp: FileStatus.Stamp?, contents: ContentIdentity, image: FileImage) {
    (self.path, self.stamp, self.contents, self.image) = (path, stamp, contents, image)
  }

  /// Whether only the beginning of the file had been read.
  var isPart: Bool { contents.size < stamp?.size ?? 0 }
}

/// The carets and selected ranges of a view.
package struct JournalSelection: Sendable, Equatable {
  package typealias Region = JournalEdit.Selection

  /// Its number in the document.
  package var view: Int
  /// See ``JournalEdit/handledEdits``.
  package var handledEdits: Int
  /// Empty when they were too many to be written down.
  package var regions: [Region]

  package init(view: Int = 0, handledEdits: Int, regions: [Region]) {
    self.view = view
    self.handledEdits = handledEdits
    self.regions = regions
  }
}

/// One edit, as much of it as recovery needs.
package struct JournalEdit: Sendable, Equatable {
  package struct Selection: Sendable, Hashable {
    package var anchor: ByteOffset
    /// The end that moves, where the cursor is.
    package var active: ByteOffset

    package init(anchor: ByteOffset, active: ByteOffset) {
      self.anchor = anchor
      self.active = active
    }
  }

  /// The text's revision after the edit: grows with every edit.
  package var revision: UInt64
  package var undoGroup: UInt64
  /// The number of the view that it was made in.
  package var view: Int
  /// How many `edit` messages of the view the core had handled with this one: a front end sends those again that came after.
  package var handledEdits: Int
  package var delta: Delta
  /// After the edit.
  package var selections: [Selection]
  /// Of the text before it, as a journal that was read tells it.
  var originBefore: JournalOrigin?
  /// Of the text after it, if the journal has a record of that.
  var origin: JournalOrigin?
  /// Nil in journals of versions that did not tell.
  var step: Step?
  /// Something has ended its step before the next edit.
  var isStepClosed = false

  /// What an edit did to the undo steps.
  struct Step: Sendable, Equatable {
    var effect: UndoHistory.Effect
    var kind: EditKind
    /// The next edit is of the same message, and recovery has both or none.
    var hasMore = false
    /// A record of the text's origin follows that is the edit's own: to take one back is to take the other back.
    var changesOrigin = false

    init(_ effect: UndoHistory.Effect, _ kind: EditKind) { (self.effect, self.kind) = (effect, kind) }
  }

  package init(
    revision: UInt64, undoGroup: UInt64, view: Int = 0, handledEdits: Int = 0, delta: Delta, selections: [Selection]
  ) {
    self.revision = revision
    self.undoGroup = undoGroup
    self.view = view
    self.handledEdits = handledEdits
    self.delta = delta
    self.selections = selections
  }
}
