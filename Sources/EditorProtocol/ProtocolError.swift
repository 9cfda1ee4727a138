/// Why a message was not understood. The message is dropped; the connection goes on.
package struct ProtocolError: Error, Equatable, Sendable, CustomStringConvertible {
  package enum Code: Equatable, Sendable {
    /// No message of this direction and kind has that name.
    case unknownMethod
    /// A required member is missing, or a member has the wrong type or range.
    case invalidParams
  }

  package var code: Code
  package var method: String
  /// The member at fault, empty for `params` itself.
  package var member: String

  package init(_ code: Code, method: String, member: String = "") {
    self.code = code
    self.method = method
    self.member = member
  }

  package var description: String {
    switch code {
    case .unknownMethod: "unknown method \"\(method)\""
    case .invalidParams:
      member.isEmpty ? "\(method): invalid params" : "\(method): missing or invalid member \"\(member)\""
    }
  }
}

/// Codes of the `error` member of an answer (xi-core's own, and those of this project from 17 on).
package enum ErrorCode {
  package static let inputOutput = 5
  package static let undecodable = 6
  package static let changedOnDisk = 7
  /// `xiedit_save` with ``OverwritePolicy/ifNew``: there is a file of that name.
  package static let fileExists = 17
  /// Saved by this user the file would lose its capabilities.
  package static let losesCapabilities = 20
  /// `xiedit_save`: the text has a character that the file's encoding has not; the message names it and its place.
  package static let notEncodable = 21
  /// `xiedit_save`: the folder of the file is not there; it is in `data`. With `make_folders` it is made.
  package static let folderMissing = 22
  /// `xiedit_run_command`: the message says why the text is as it was.
  package static let commandFailed = 23
  package static let cancelled = 18
  /// `xiedit_save` with ``OverwritePolicy/ifUnchanged``, or `new_view` of a file that must exist: it is not there any more.
  package static let vanished = 19
  package static let viewMissing = 404
}
