import SwiftSyntax

/// A member of a record or of a union's case.
struct RecordMember {
  let name: String
  let type: CrossingType
  let defaultValue: String?
  let documentation: String

  init(name: String, type: CrossingType, defaultValue: String?, documentation: String = "") {
    self.name = name
    self.type = type
    // A missing optional is nil by itself.
    self.defaultValue = type.isOptional && defaultValue == "nil" ? nil : defaultValue
    self.documentation = documentation
  }

  /// What the shape says of it.
  var declaration: String {
    let hasDefault = defaultValue == nil ? "" : ", hasDefault: true"
    return ".init(\(name.swiftLiteral), \(type.metatype)\(hasDefault)\(documentation))"
  }

  /// The expression that reads it.
  var reading: String {
    "try reader.member(\(type.metatype)\(defaultValue.map { ", default: \($0)" } ?? ""))"
  }
}
