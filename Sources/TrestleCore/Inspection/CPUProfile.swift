import JSEngine
import JSON

/// What scripts did with the processor's time: where they were, a thousand times a second.
public struct CPUProfile: Sendable {
  /// In the format of Chrome's `.cpuprofile`, for its developer tools, VS Code or speedscope.app. The line of a function is the
  /// first of it that was seen at work; `positionTicks` has how often each line was. By source maps, where there are any.
  public let json: JSONValue

  /// - Parameter samples: of `JSContext.takeProfile`.
  init(samples: String, maps: SourceMaps) throws {
    var tree = CallTree()
    var ids: [JSONValue] = []
    var times: [Double] = []
    // One at a time: deep down, each has tens of thousands of frames.
    let rest = try JSONValue(parsing: samples, handing: "traces") { trace in
      ids.append(JSONValue(tree.add((trace["frames"]?.array ?? []).map(CallTree.Frame.init)) + 1))
      times.append((trace["timestamp"]?.double ?? 0) * 1e6)
    }
    let urls = Dictionary(
      (rest["sources"]?.array ?? []).map { ($0["sourceID"]?.int ?? -1, $0["url"]?.string ?? "") },
      uniquingKeysWith: { first, _ in first })
    let deltas = zip(times, [times.first ?? 0] + times).map { time, before in JSONValue.number(time - before) }
    json = .object([
      "nodes": .array(tree.json(urls: urls, maps)), "startTime": .number(times.first ?? 0),
      "endTime": .number(times.last ?? 0), "samples": .array(ids), "timeDeltas": .array(deltas),
    ])
  }
}

extension Bridge {
  /// Begins to look at what scripts are doing. Costs a few percent of their time.
  ///
  /// - Throws: ``BridgeError`` if the engine cannot.
  public func startProfiling() throws { try withEngine { try $0.startProfiling() } }

  /// What was seen since `startProfiling`, which ends.
  ///
  /// - Throws: ``BridgeError`` if it was not started.
  public func takeProfile() throws -> CPUProfile {
    let maps = try openRuntime().sourceMaps
    return try CPUProfile(samples: withEngine { try $0.takeProfile() }, maps: maps)
  }
}

/// Who called whom, and how often it was seen at work.
private struct CallTree {
  struct Frame {
    let name: String
    let source: Int
    let line: Int

    init(_ json: JSONValue) {
      name = json["name"]?.string ?? ""
      source = json["sourceID"]?.int ?? -1
      line = json["line"]?.int ?? 0
    }
  }

  private struct Key: Hashable {
    let name: String
    let source: Int
  }

  private struct Node {
    let key: Key
    var firstLine: Int
    var hits = 0
    var lineHits: [Int: Int] = [:]
    var children: [Key: Int] = [:]
  }

  private var nodes = [Node(key: Key(name: "(root)", source: -1), firstLine: 0)]

  /// - Parameter frames: the innermost first.
  /// - Returns: the index of the innermost one's node.
  mutating func add(_ frames: [Frame]) -> Int {
    var index = 0
    for frame in frames.reversed() {
      index = child(of: index, frame)
      nodes[index].firstLine = min(nodes[index].firstLine, frame.line)
    }
    nodes[index].hits += 1
    if let line = frames.first?.line { nodes[index].lineHits[line, default: 0] += 1 }
    return index
  }

  private mutating func child(of parent: Int, _ frame: Frame) -> Int {
    let key = Key(name: frame.name, source: frame.source)
    if let known = nodes[parent].children[key] { return known }
    nodes.append(Node(key: key, firstLine: frame.line))
    nodes[parent].children[key] = nodes.count - 1
    return nodes.count - 1
  }

  func json(urls: [Int: String], _ maps: SourceMaps) -> [JSONValue] {
    nodes.enumerated().map { index, node in
      let url = urls[node.key.source] ?? ""
      let first = maps.original(url, line: node.firstLine, column: 0)
      var lineHits = node.lineHits
      if let first {
        lineHits = [:]
        for (line, hits) in node.lineHits {
          let place = maps.original(url, line: line, column: 0)
          if place?.source == first.source { lineHits[place?.line ?? line, default: 0] += hits }
        }
      }
      let ticks = lineHits.sorted { $0.key < $1.key }.map { line, hits in
        JSONValue.object(["line": JSONValue(line), "ticks": JSONValue(hits)])
      }
      return .object([
        "id": JSONValue(index + 1),
        "callFrame": .object([
          "functionName": .string(node.key.name), "scriptId": .string("\(node.key.source)"),
          "url": .string(first?.source ?? url), "lineNumber": JSONValue((first?.line ?? node.firstLine) - 1),
          "columnNumber": -1,
        ]),
        "hitCount": JSONValue(node.hits), "children": .array(node.children.values.sorted().map { JSONValue($0 + 1) }),
        "positionTicks": .array(ticks),
      ])
    }
  }
}
