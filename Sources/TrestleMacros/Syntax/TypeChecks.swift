import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// The types that must cross the bridge, as code that does nothing but let the compiler tell of those that cannot.
///
/// The compiler alone knows what a type conforms to, and places an error in the code of a macro. So one line of that code is about each
/// type, and says that it stands where the type is written. All the other code is silent about types.
struct TypeChecks {
  /// The functions of `_Expansion.TypeChecks`.
  enum Way: String {
    case fromJavaScript, toJavaScript, bothWays, toCallback
  }

  fileprivate struct Check: Hashable {
    let type: String
    /// The type as a value.
    let expression: String
    let way: Way
    let isOfFoundation: Bool
    /// Whether it is refused by name: not what is written in no word, and not what only some condition gives.
    let isNamed: Bool
  }

  private enum Line {
    case check(Check, at: Syntax)
    /// `#if` and what belongs to it.
    case condition(String)
  }

  private var lines: [Line] = []
  private var depth = 0

  mutating func add(_ type: CrossingType, _ way: Way, at node: some SyntaxProtocol) {
    if type.surelyCrosses { return }
    let check = Check(
      type: type.text, expression: type.metatype, way: way, isOfFoundation: type.isOfFoundation, isNamed: depth == 0)
    lines.append(.check(check, at: Syntax(node)))
  }

  /// The same for a type that only the compiler knows.
  ///
  /// - Parameter path: a key path to a value of it.
  mutating func add(valueOf path: String, _ way: Way, at node: some SyntaxProtocol) {
    let check = Check(type: "", expression: "valueType(of: \(path))", way: way, isOfFoundation: false, isNamed: false)
    lines.append(.check(check, at: Syntax(node)))
  }

  mutating func add(condition: String, depth change: Int = 0) {
    lines.append(.condition(condition))
    depth += change
  }

  /// - Returns: nothing if all types surely cross.
  func declaration(in context: some MacroExpansionContext) -> [DeclSyntax] {
    guard lines.contains(where: { if case .check = $0 { true } else { false } }) else { return [] }
    let refusals = refused.enumerated().map { "  \($1.refusal(number: $0))\n" }.joined()
    let body = lines.flatMap { calls(of: $0, in: context) }.map { "    \($0)\n" }.joined()
    return [
      """
      private enum _TypeChecks: _Expansion.TypeChecks {
      \(raw: refusals)  static func check() {
      \(raw: body)    #sourceLocation()
        }
      }
      """
    ]
  }

  /// What is refused by name, each type once.
  private var refused: [Check] {
    var seen: Set<Check> = []
    return lines.compactMap { line in
      guard case .check(let check, _) = line, check.isNamed else { return nil }
      return seen.insert(check).inserted ? check : nil
    }
  }

  private func calls(of line: Line, in context: some MacroExpansionContext) -> [String] {
    guard case .check(let check, let node) = line else {
      if case .condition(let text) = line { return [text] }
      return []
    }
    guard let place = context.location(of: node, at: .afterLeadingTrivia, filePathMode: .filePath) else {
      return [check.call]
    }
    return ["#sourceLocation(file: \(place.file), line: \(place.line))", check.call]
  }
}

extension TypeChecks.Check {
  private var label: String { isOfFoundation ? "exactly" : "_" }

  fileprivate var call: String {
    "\(way.rawValue)(\(isOfFoundation ? "exactly: " : "")\(expression))"
  }

  /// The function that is chosen if the type does not fit.
  ///
  /// - Parameter number: makes it another function than that for the same type under another name.
  fileprivate func refusal(number: Int) -> String {
    let parameter = "\(label): \(expression.dropLast("self".count))Type"
    return "@available(*, unavailable, message: \(words.swiftLiteral)) @discardableResult "
      + "static func \(way.rawValue)(\(parameter)) -> _Expansion.Refusal<\(number)> { .init() }"
  }

  private var words: String {
    if isOfFoundation {
      return
        "'\(type)' is something else in JavaScript by 'Codable' than by its own conversion: 'import TrestleFoundation'"
    }
    switch way {
    case .fromJavaScript:
      return "'\(type)' cannot come from JavaScript: mark \(subject) '@Record', or make it 'Decodable & Sendable'"
    case .toJavaScript:
      return "'\(type)' cannot go to JavaScript: mark \(subject) '@Record', or make it 'Encodable & Sendable'"
    case .toCallback: return "'\(type)' cannot go to JavaScript by a callback: mark \(subject) '@Record'"
    case .bothWays:
      return "'\(type)' cannot cross the bridge: mark \(subject) '@Record', or make it 'Codable & Sendable'"
    }
  }

  /// What the array or optional is of.
  private var subject: String {
    let names = type.split { !$0.isLetter && !$0.isNumber && !"_.".contains($0) }
    let others = names.filter { !CrossingType.basicNames.contains(String($0)) }
    guard !names.isEmpty, type != String(names[0]), others.count == 1 else { return "it" }
    return "'\(others[0])'"
  }
}
