import CPCRE2

/// A compiled pattern of PCRE2, with limits: a search that runs away is an error, not a hang.
///
/// `@unchecked Sendable`: compiled code is read only, and match data are made for each search.
final class RegularExpression: @unchecked Sendable {
  struct Failure: Error, Equatable {
    let message: String
  }

  /// About a second of back-tracking.
  static let searchLimit: UInt32 = 20_000_000
  /// Well under a millisecond.
  static let interactiveLimit: UInt32 = 20_000

  private let code: OpaquePointer

  init(_ pattern: String, isLiteral: Bool = false, isCaseSensitive: Bool) throws(Failure) {
    var options = isLiteral ? PCRE2_LITERAL : PCRE2_UCP | PCRE2_MULTILINE
    if !isCaseSensitive { options |= PCRE2_CASELESS }
    // Exact text is compared byte by byte.
    if !isLiteral || !isCaseSensitive { options |= PCRE2_UTF | PCRE2_MATCH_INVALID_UTF }
    var error: CInt = 0
    var offset = 0
    let code = Array(pattern.utf8).withUnsafeBufferPointer {
      pcre2_compile_8($0.baseAddress, $0.count, options, &error, &offset, nil)
    }
    guard let code else { throw Failure(message: "\(Self.message(of: error)) at \(offset)") }
    self.code = code
    // Without its just-in-time compiler PCRE2 works too, more slowly.
    pcre2_jit_compile_8(code, PCRE2_JIT_COMPLETE)
  }

  deinit { pcre2_code_free_8(code) }

  var groupCount: Int {
    var count: UInt32 = 0
    pcre2_pattern_info_8(code, UInt32(PCRE2_INFO_CAPTURECOUNT), &count)
    return Int(count)
  }

  static func message(of error: CInt) -> String {
    var buffer = [UInt8](repeating: 0, count: 256)
    let count = pcre2_get_error_message_8(error, &buffer, buffer.count)
    return count >= 0 ? String(decoding: buffer[..<Int(count)], as: UTF8.self) : "error \(error)"
  }

  /// Searches through subjects one by one.
  final class Matcher {
    private let expression: RegularExpression
    private let data: OpaquePointer
    private let context: OpaquePointer
    private let stack: OpaquePointer?

    /// - Parameter findsGroups: For ``groups(in:from:)``.
    init?(_ expression: RegularExpression, limit: UInt32, findsGroups: Bool = false) {
      let pairs = findsGroups ? UInt32(expression.groupCount + 1) : 1
      guard let data = pcre2_match_data_create_8(pairs, nil) else { return nil }
      guard let context = pcre2_match_context_create_8(nil) else {
        pcre2_match_data_free_8(data)
        return nil
      }
      self.expression = expression
      self.data = data
      self.context = context
      stack = pcre2_jit_stack_create_8(32 << 10, 8 << 20, nil)
      pcre2_jit_stack_assign_8(context, nil, stack.map(UnsafeMutableRawPointer.init))
      pcre2_set_match_limit_8(context, limit)
      pcre2_set_heap_limit_8(context, 64 << 10)
    }

    deinit {
      pcre2_match_data_free_8(data)
      pcre2_match_context_free_8(context)
      if let stack { pcre2_jit_stack_free_8(stack) }
    }

    /// The first match in `subject` at or after `offset`.
    func firstMatch(in subject: UnsafeRawBufferPointer, from offset: Int) throws(Failure) -> Range<Int>? {
      let start = subject.baseAddress?.assumingMemoryBound(to: UInt8.self)
      let result = pcre2_match_8(expression.code, start, subject.count, offset, 0, data, context)
      if result == PCRE2_ERROR_NOMATCH { return nil }
      guard result >= 0 else { throw Failure(message: RegularExpression.message(of: result)) }
      guard let bounds = pcre2_get_ovector_pointer_8(data), bounds[0] <= bounds[1] else { return nil }
      return Int(bounds[0])..<Int(bounds[1])
    }

    /// The same match, and behind it what its groups matched; nil for those that took no part.
    func groups(in subject: UnsafeRawBufferPointer, from offset: Int) throws(Failure) -> [Range<Int>?] {
      guard try firstMatch(in: subject, from: offset) != nil, let bounds = pcre2_get_ovector_pointer_8(data) else {
        return []
      }
      return (0..<Int(pcre2_get_ovector_count_8(data))).map { group in
        let (start, end) = (bounds[2 * group], bounds[2 * group + 1])
        return 0 <= start && start <= end && end <= subject.count ? Int(start)..<Int(end) : nil
      }
    }
  }
}
