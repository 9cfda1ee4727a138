import EventLoop

/// The source maps of what a bridge runs, by the names that stacks have. A map is read when a place is first asked for. From any thread.
package final class SourceMaps: Sendable {
  /// Reads a map that lies beside a script.
  typealias Read = @Sendable (_ url: String) -> String?

  fileprivate enum Map {
    case unread(url: String, base: String, read: Read?)
    case read(SourceMap, url: String, base: String, readAgain: Read?)
    case none
  }

  fileprivate struct State {
    var maps: [String: Map] = [:]
    /// The oldest first.
    var names: [String] = []
    var length = 0
    /// Those that are decoded, the oldest first.
    var decoded: [String] = []
  }

  /// Of more the oldest are forgotten: in bytes, what of them is kept as text; and how many are kept decoded.
  private static let (greatestCount, mostDecoded) = (10_000, 16)
  /// What is decoded for one stack, in bytes of maps; the last may be longer.
  private static let longestDecoding = 32 << 20
  private let greatestLength: Int

  private let state = Lock(State())

  package init(greatestLength: Int = 64 << 20) { self.greatestLength = greatestLength }

  /// Whether there is none.
  var isEmpty: Bool { state.withLock { $0.maps.isEmpty } }

  /// Takes note of the map of a script that is about to run, if that has one; what is known of another of its name is forgotten.
  ///
  /// - Parameters:
  ///   - name: what stacks call it.
  ///   - base: what the map's place and its sources are relative to the folder of.
  /// - Returns: the script without what it says of its map.
  @discardableResult
  func note(_ script: String, name: String, base: String, read: Read? = nil) -> String {
    let comment = SourceMapComment(in: script)
    state.withLock { state in
      if state.maps.isEmpty, comment == nil { return }
      state.forget(name)
      guard let comment else { return }
      state.maps[name] = .unread(url: comment.url, base: base, read: read)
      state.names.append(name)
      state.length += comment.url.utf8.count
      while state.length > greatestLength || state.names.count > Self.greatestCount, let oldest = state.names.first {
        state.forget(oldest)
      }
    }
    return comment.map { String($0.rest) } ?? script
  }

  /// The same stack with the places where its sources were written. Lines of which that is not known stay, as do those of a long stack for
  /// which more maps would have to be read than ``longestDecoding``: a script may have made it, and nothing ends what is done here.
  package func mapped(_ stack: String) -> String {
    guard !isEmpty else { return stack }
    var known: [String: SourceMap?] = [:]
    var decodedLength = 0
    return stack.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { line in
      let line = Substring(line)
      guard let frame = StackFrame(line) else { return String(line) }
      if known[frame.source] == nil, decodedLength < Self.longestDecoding {
        let map = map(of: frame.source)
        known[frame.source] = .some(map)
        decodedLength += map?.length ?? 0
      }
      guard let map = known[frame.source] ?? nil, let place = map.original(line: frame.line, column: frame.column)
      else { return String(line) }
      let name = line.utf8.firstIndex(of: UInt8(ascii: "@")).map { line[...$0] } ?? ""
      return "\(name)\(place.source):\(place.line):\(place.column)"
    }.joined(separator: "\n")
  }

  func original(_ name: String, line: Int, column: Int) -> SourceMap.Place? {
    map(of: name)?.original(line: line, column: column)
  }

  /// The text of a source, if a map that was read has it.
  package func text(of source: String) -> String? {
    state.withLock { state in
      for case .read(let map, _, _, _) in state.maps.values { if let text = map.texts[source] { return text } }
      return nil
    }
  }

  /// Whether a map that was read has a source of that name.
  package func names(_ source: String) -> Bool {
    state.withLock { state in
      state.maps.values.contains { if case .read(let map, _, _, _) = $0 { map.names(source) } else { false } }
    }
  }

  private func map(of name: String) -> SourceMap? {
    let found = state.withLock { $0.maps[name] }
    switch found {
    case nil, .none?: return nil
    case .read(let map, _, _, _): return map
    case .unread(let url, let base, let read):
      // Without the lock: it may take a while.
      let map = Self.read(url, base: base, read)
      state.withLock { state in
        guard case .unread(url, base, _)? = state.maps[name] else { return }
        if let map {
          state.maps[name] = .read(map, url: url, base: base, readAgain: read)
          state.keepDecoded(name, atMost: Self.mostDecoded)
        } else {
          state.maps[name] = Map.none
          state.length -= url.utf8.count
        }
      }
      return map
    }
  }

  private static func read(_ url: String, base: String, _ read: Read?) -> SourceMap? {
    if let content = SourceMapComment.content(ofURL: url) { return SourceMap(content, base: base) }
    guard let read, !url.hasPrefix("data:"), let place = SourceName.resolved(url, base), let text = read(url) else {
      return nil
    }
    return SourceMap(text, base: place)
  }
}

extension SourceMaps.State {
  fileprivate mutating func forget(_ name: String) {
    guard let map = maps.removeValue(forKey: name) else { return }
    if case .unread(let url, _, _) = map { length -= url.utf8.count }
    if case .read(_, let url, _, _) = map { length -= url.utf8.count }
    names.removeAll { $0 == name }
    decoded.removeAll { $0 == name }
  }

  fileprivate mutating func keepDecoded(_ name: String, atMost limit: Int) {
    decoded.append(name)
    guard decoded.count > limit, case .read(_, let url, let base, let read)? = maps[decoded[0]] else { return }
    maps[decoded.removeFirst()] = .unread(url: url, base: base, read: read)
  }
}
