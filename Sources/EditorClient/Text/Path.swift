import EditorProtocol

/// Parts of a path.
extension String {
  var lastPathPart: String { pathName }

  /// The part before the last `/`; empty for a bare name.
  var folder: String { pathFolder ?? "" }
}
