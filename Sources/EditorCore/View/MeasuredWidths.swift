/// How wide text is in the font of a front end, by what it says itself (`measure_width`).
///
/// Single clusters are asked for, not words: a few answers then serve all text, and widths add up. Kerning is left out. What is
/// not measured yet counts as so many blanks as it has cells, and so does a tab. Of the loop's thread.
final class MeasuredWidths {
  /// Parts of a front end's unit in which widths are kept.
  static let scale = 64
  private static let largestWidth = 100_000.0
  /// So many clusters are asked for, in all.
  private static let clusterLimit = 50_000

  private var ascii = [Int?](repeating: nil, count: 0x80)
  private var others: [String: Int] = [:]
  private var blank = MeasuredWidths.scale
  private var unknown: Set<String> = []
  private var asked: Set<String> = []

  /// `cells` is how wide a terminal shows it.
  func width(ofASCII byte: UInt8, cells: Int) -> Int {
    guard byte != 0x09 else { return cells * blank }
    if let known = ascii[Int(byte & 0x7F)] { return known }
    want(String(UnicodeScalar(byte)))
    return cells * blank
  }

  func width(of cluster: String, cells: Int) -> Int {
    if cluster.utf8.count == 1, let byte = cluster.utf8.first { return width(ofASCII: byte, cells: cells) }
    if let known = others[cluster] { return known }
    want(cluster)
    return cells * blank
  }

  private func want(_ cluster: String) {
    guard asked.count + unknown.count < Self.clusterLimit, !asked.contains(cluster) else { return }
    unknown.insert(cluster)
  }

  /// What the front end is to be asked for now; nil when that is nothing. The first time all that is printable in ASCII.
  func takeUnknown() -> [String]? {
    guard !unknown.isEmpty else { return nil }
    if asked.isEmpty { unknown.formUnion((0x20..<0x7F).map { String(UnicodeScalar(UInt8($0))) }) }
    defer { unknown = [] }
    asked.formUnion(unknown)
    return unknown.sorted()
  }

  /// - Parameter widths: In the front end's units, one for each of `clusters`; what is no width is left out.
  /// - Returns: Whether text that was measured already may be of another width now.
  func learn(_ clusters: [String], _ widths: [Double], cells: (String) -> Int) -> Bool {
    let oldBlank = blank
    for (cluster, width) in zip(clusters, widths) where width >= 0 && width <= Self.largestWidth {
      let scaled = Int((width * Double(Self.scale)).rounded())
      if cluster.utf8.count == 1, let byte = cluster.utf8.first {
        ascii[Int(byte & 0x7F)] = scaled
      } else {
        others[cluster] = scaled
      }
    }
    if let space = ascii[0x20] { blank = space }
    return blank != oldBlank || clusters.contains { width(of: $0, cells: cells($0)) != cells($0) * oldBlank }
  }
}
