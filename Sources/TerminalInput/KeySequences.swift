/// The key sequences of xterm and those who imitate it, with modifiers as `1;5C`.
enum KeySequences {
  /// The numbers of a control sequence; a missing one is 0, of sub-parameters (`1:2`) the first counts.
  static func numbers(_ parameters: ArraySlice<UInt8>) -> [Int] {
    guard !parameters.isEmpty else { return [] }
    return parameters.split(separator: 0x3B, omittingEmptySubsequences: false).map { part in
      part.prefix { (0x30...0x39).contains($0) }.prefix(7).reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }
  }

  /// The key of SS3 with this final byte. rxvt writes the arrows with Ctrl in lower case.
  static func key(singleShift final: UInt8) -> Key? {
    (0x61...0x64).contains(final) ? letters[final - 0x20].map { Key($0, .control) } : letters[final].map { Key($0) }
  }

  /// The key of CSI with this final byte; nil if there is none.
  static func key(final: UInt8, parameters: [Int]) -> Key? {
    let modifiers = modifiers(parameters.count > 1 ? parameters[1] : 0)
    switch final {
    case 0x7E:
      if parameters.first == 27, parameters.count == 3 { return key(codePoint: parameters[2], modifiers) }
      return tilde[parameters.first ?? 0].map { Key($0, modifiers) }
    // rxvt: shift, control, both.
    case 0x24: return tilde[parameters.first ?? 0].map { Key($0, .shift) }
    case 0x5E: return tilde[parameters.first ?? 0].map { Key($0, .control) }
    case 0x40: return tilde[parameters.first ?? 0].map { Key($0, [.control, .shift]) }
    case 0x75: return key(codePoint: parameters.first ?? 0, modifiers)
    case 0x5A: return Key(.tab, .shift)
    // rxvt writes the shifted arrows in lower case.
    case 0x61...0x64: return letters[final - 0x20].map { Key($0, .shift) }
    default: return letters[final].map { Key($0, modifiers) }
    }
  }

  private static let letters: [UInt8: Key.Code] = [
    0x41: .up, 0x42: .down, 0x43: .right, 0x44: .left, 0x48: .home, 0x46: .end, 0x4D: .enter, 0x50: .function(1),
    0x51: .function(2), 0x52: .function(3), 0x53: .function(4),
  ]

  private static let tilde: [Int: Key.Code] = [
    1: .home, 2: .insert, 3: .delete, 4: .end, 5: .pageUp, 6: .pageDown, 7: .home, 8: .end, 11: .function(1),
    12: .function(2), 13: .function(3), 14: .function(4), 15: .function(5), 17: .function(6), 18: .function(7),
    19: .function(8), 20: .function(9), 21: .function(10), 23: .function(11), 24: .function(12),
  ]

  /// `modifyOtherKeys` and the keyboard protocol of kitty: the key as a code point.
  private static func key(codePoint: Int, _ modifiers: Key.Modifiers) -> Key? {
    switch codePoint {
    case 13: return Key(.enter, modifiers)
    case 9: return Key(.tab, modifiers)
    case 27: return Key(.escape, modifiers)
    case 8, 127: return Key(.backspace, modifiers)
    default:
      guard let code = UInt32(exactly: codePoint), code >= 0x20, let scalar = Unicode.Scalar(code) else { return nil }
      return Key(.character(Character(scalar)), modifiers)
    }
  }

  /// One more than a sum of 1 shift, 2 alt, 4 control; 8 (super) and above are ignored.
  private static func modifiers(_ parameter: Int) -> Key.Modifiers {
    guard parameter > 1 else { return [] }
    return Key.Modifiers(rawValue: UInt8((parameter - 1) & 7))
  }
}
