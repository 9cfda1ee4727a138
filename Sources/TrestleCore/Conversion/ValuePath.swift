import JSON

/// Where a value lies within an argument: what is written behind the parameter's name.
struct ValuePath: Sendable {
  enum Component: Sendable {
    case key(String)
    case index(Int)
  }

  private(set) var components: [Component] = []

  mutating func append(_ component: Component) { components.append(component) }
  mutating func removeLast() { components.removeLast() }

  /// Of a longer path the middle is left out.
  private static let longest = 16

  /// `.member`, `["other key"]` and `[index]`, one after the other.
  var description: String {
    if components.count <= Self.longest { return text(of: components[...]) }
    let half = Self.longest / 2
    return text(of: components.prefix(half)) + "…" + text(of: components.suffix(half))
  }

  private func text(of components: ArraySlice<Component>) -> String {
    components.map { component in
      switch component {
      case .index(let index): "[\(index)]"
      case .key(let key): key.isScriptIdentifier ? ".\(key)" : "[\(key.quotedExcerpt)]"
      }
    }.joined()
  }
}

extension String {
  /// Whether it can stand behind a dot in JavaScript; ASCII only.
  fileprivate var isScriptIdentifier: Bool {
    guard let first = utf8.first, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else { return false }
    return utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"):
        true
      default: false
      }
    }
  }
}
