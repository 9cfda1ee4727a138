import EditorClient

/// How many colours a terminal has, and the sequences that set them.
package struct Palette: Sendable {
  package enum Depth: Sendable, Equatable {
    case none, sixteen, indexed, trueColour
  }

  package let depth: Depth
  /// What plain text is drawn with.
  var foreground = TextStyle.Colour.standard
  var background = TextStyle.Colour.standard

  package init(depth: Depth) { self.depth = depth }

  /// Sets `style` from whatever was set before (ECMA-48 SGR).
  package func append(_ style: TextStyle, to bytes: inout [UInt8]) {
    var codes = "0"
    let attributes = depth == .none ? style.attributesWithoutColour : style.attributes
    if attributes.contains(.bold) { codes += ";1" }
    if attributes.contains(.dim) { codes += ";2" }
    if attributes.contains(.italic) { codes += ";3" }
    if attributes.contains(.underline) { codes += ";4" }
    if attributes.contains(.reverse) { codes += ";7" }
    codes += code(style.foreground == .standard ? foreground : style.foreground, base: 30)
    codes += code(style.background == .standard ? background : style.background, base: 40)
    bytes.append(contentsOf: "\u{1B}[\(codes)m".utf8)
  }

  private func code(_ colour: TextStyle.Colour, base: Int) -> String {
    switch (depth, colour) {
    case (.none, _), (_, .standard): ""
    case (_, .ansi(let index)): Self.ansi(index, base)
    case (.trueColour, .rgb(let rgb)): ";\(base + 8);2;\(rgb >> 16 & 255);\(rgb >> 8 & 255);\(rgb & 255)"
    case (.indexed, .rgb(let rgb)): ";\(base + 8);5;\(Self.nearestIndex(rgb))"
    case (.sixteen, .rgb(let rgb)): Self.ansi(Self.nearestANSI(rgb), base)
    }
  }

  private static func ansi(_ index: UInt8, _ base: Int) -> String {
    index < 8 ? ";\(base + Int(index))" : ";\(base + 52 + Int(index))"
  }

  // MARK: Nearest colours

  /// In the cube of 6×6×6 from 16, or the greys from 232.
  static func nearestIndex(_ rgb: UInt32) -> Int {
    let channels = [rgb >> 16 & 255, rgb >> 8 & 255, rgb & 255].map(Int.init)
    let steps = channels.map { $0 < 48 ? 0 : $0 < 115 ? 1 : ($0 - 35) / 40 }
    let cube = steps.map { $0 == 0 ? 0 : 55 + 40 * $0 }
    let grey = min(max((channels.reduce(0, +) / 3 - 3) / 10, 0), 23)
    let greyLevel = 8 + 10 * grey
    return distance(channels, [greyLevel, greyLevel, greyLevel]) < distance(channels, cube)
      ? 232 + grey : 16 + 36 * steps[0] + 6 * steps[1] + steps[2]
  }

  /// Among the sixteen as xterm draws them.
  static func nearestANSI(_ rgb: UInt32) -> UInt8 {
    let channels = [rgb >> 16 & 255, rgb >> 8 & 255, rgb & 255].map(Int.init)
    let nearest = xterm.indices.min { distance(channels, xterm[$0]) < distance(channels, xterm[$1]) }
    return UInt8(nearest ?? 7)
  }

  private static let xterm: [[Int]] = [
    [0, 0, 0], [205, 0, 0], [0, 205, 0], [205, 205, 0], [0, 0, 238], [205, 0, 205], [0, 205, 205], [229, 229, 229],
    [127, 127, 127], [255, 0, 0], [0, 255, 0], [255, 255, 0], [92, 92, 255], [255, 0, 255], [0, 255, 255],
    [255, 255, 255],
  ]

  private static func distance(_ left: [Int], _ right: [Int]) -> Int {
    zip(left, right).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
  }
}

extension TextStyle {
  /// What a background says is said by reversing, or by a line where it says little.
  fileprivate var attributesWithoutColour: Attributes {
    background == .standard ? attributes : attributes.union(attributes.contains(.tint) ? .underline : .reverse)
  }
}
