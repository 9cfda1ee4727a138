import CPCRE2
import EventLoop

/// A compiled pattern of PCRE2, with limits: a search that runs away is an error, not a hang.
///
/// `@unchecked Sendable`: compiled code is read only, and match data are made for each search.
final class RegularExpression: @unchecked Sendable {
  struct Failure: Error, Equatable, CustomStringConvertible {
    let message: String

    var description: String { message }
  }

  /// How much work one match may be.
  enum Effort {
    /// Well under a millisecond.
    case moment
    /// About a second of back-tracking, which can be stopped.
    case long(OwnThread)

    var isMoment: Bool { if case .moment = self { true } else { false } }
    fileprivate var limit: UInt32 { isMoment ? 20_000 : 200_000 }
  }

  /// The thread that this is made on: one of its own, where what takes long keeps no key waiting. It cannot be taken to another.
  final class OwnThread {
    /// Nil on any other.
    init?(_ thread: LoopThread) { guard thread.loop.isOnOwnThread else { return nil } }
  }

  /// The steps of a match that has turned out to be long.
  private static let longLimit: UInt32 = 20_000_000

  private let code: OpaquePointer
  private let pattern: [UInt8]
  private let options: UInt32
  private let isMultiline: Bool

  /// - Parameters:
  ///   - isMultiline: It sees line ends: `\r\n` is one, too.
  ///   - isAnchored: It matches where it is asked to begin, or not.
  init(
    _ pattern: [UInt8], isLiteral: Bool = false, isCaseSensitive: Bool, isMultiline: Bool = false,
    isAnchored: Bool = false
  ) throws(Failure) {
    var options = isLiteral ? PCRE2_LITERAL : PCRE2_UCP | PCRE2_MULTILINE
    if !isCaseSensitive { options |= PCRE2_CASELESS }
    // Exact text is compared byte by byte.
    if !isLiteral || !isCaseSensitive { options |= PCRE2_UTF | PCRE2_MATCH_INVALID_UTF }
    if isAnchored { options |= PCRE2_ANCHORED }
    self.pattern = pattern
    self.options = options
    self.isMultiline = isMultiline
    code = try Self.compile(pattern, options, isMultiline)
  }

  deinit { pcre2_code_free_8(code) }

  private static func compile(
    _ pattern: [UInt8], _ options: UInt32, _ isMultiline: Bool
  ) throws(Failure) -> OpaquePointer {
    let context = pcre2_compile_context_create_8(nil)
    defer { pcre2_compile_context_free_8(context) }
    if isMultiline { pcre2_set_newline_8(context, UInt32(PCRE2_NEWLINE_ANYCRLF)) }
    var error: CInt = 0
    var offset = 0
    let code = pattern.withUnsafeBufferPointer {
      pcre2_compile_8($0.baseAddress, $0.count, options, &error, &offset, context)
    }
    guard let code else { throw Failure(message: "\(Self.message(of: error)) at \(offset)") }
    // Without its just-in-time compiler PCRE2 works too, more slowly.
    pcre2_jit_compile_8(code, PCRE2_JIT_COMPLETE)
    return code
  }

  /// The same, which calls out at every step.
  fileprivate func stepping() -> OpaquePointer? {
    try? Self.compile(pattern, options | PCRE2_AUTO_CALLOUT, isMultiline)
  }

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
    private static let stepsBetweenQuestions = 4096

    private let expression: RegularExpression
    private let effort: Effort
    private let data: OpaquePointer
    private let context: OpaquePointer
    private let stack: OpaquePointer?
    /// For a match that takes long, with its own limit.
    private var stepping: OpaquePointer?
    private var steps = 0
    /// Asked now and then in the middle of a long match; false ends it, and ``isStopped`` is true from then on.
    var goOn: () -> Bool = { true }
    private(set) var isStopped = false

    /// - Parameter findsGroups: For ``groups(in:from:)``.
    init?(_ expression: RegularExpression, _ effort: Effort, findsGroups: Bool = false) {
      let pairs = findsGroups ? UInt32(expression.groupCount + 1) : 1
      guard let data = pcre2_match_data_create_8(pairs, nil) else { return nil }
      guard let context = pcre2_match_context_create_8(nil) else {
        pcre2_match_data_free_8(data)
        return nil
      }
      self.expression = expression
      self.effort = effort
      self.data = data
      self.context = context
      stack = pcre2_jit_stack_create_8(32 << 10, 8 << 20, nil)
      pcre2_jit_stack_assign_8(context, nil, stack.map(UnsafeMutableRawPointer.init))
      pcre2_set_match_limit_8(context, effort.limit)
      pcre2_set_heap_limit_8(context, 64 << 10)
    }

    deinit {
      pcre2_match_data_free_8(data)
      pcre2_match_context_free_8(context)
      if let stack { pcre2_jit_stack_free_8(stack) }
      if let stepping { pcre2_code_free_8(stepping) }
    }

    /// The first match in `subject` at or after `offset`.
    ///
    /// - Parameter mayTakeLong: Goes on where it takes long, if the effort allows it.
    func firstMatch(
      in subject: UnsafeRawBufferPointer, from offset: Int, mayTakeLong: Bool = true
    ) throws(Failure) -> Range<Int>? {
      var result = match(expression.code, subject, offset)
      let isLong = result == PCRE2_ERROR_MATCHLIMIT || result == PCRE2_ERROR_JIT_STACKLIMIT
      if isLong, mayTakeLong, !effort.isMoment { result = matchByStep(subject, offset) }
      if result == PCRE2_ERROR_NOMATCH || isStopped { return nil }
      guard result >= 0 else { throw Failure(message: RegularExpression.message(of: result)) }
      guard let bounds = pcre2_get_ovector_pointer_8(data), bounds[0] <= bounds[1] else { return nil }
      return Int(bounds[0])..<Int(bounds[1])
    }

    private func match(
      _ code: OpaquePointer, _ subject: UnsafeRawBufferPointer, _ offset: Int, options: UInt32 = 0
    ) -> CInt {
      let start = subject.baseAddress?.assumingMemoryBound(to: UInt8.self)
      return pcre2_match_8(code, start, subject.count, offset, options, data, context)
    }

    /// From the start again, as nothing can be asked of a match that runs.
    private func matchByStep(_ subject: UnsafeRawBufferPointer, _ offset: Int) -> CInt {
      guard let code = stepping ?? expression.stepping() else { return PCRE2_ERROR_NOMEMORY }
      stepping = code
      pcre2_set_match_limit_8(context, RegularExpression.longLimit)
      pcre2_set_callout_8(
        context, { _, matcher in matcher.map { Unmanaged<Matcher>.fromOpaque($0).takeUnretainedValue().step() } ?? 0 },
        Unmanaged.passUnretained(self).toOpaque())
      defer {
        pcre2_set_callout_8(context, nil, nil)
        pcre2_set_match_limit_8(context, effort.limit)
      }
      let result = match(code, subject, offset)
      // The compiled code has a stack of its own; the interpreter has the heap.
      return result == PCRE2_ERROR_JIT_STACKLIMIT ? match(code, subject, offset, options: PCRE2_NO_JIT) : result
    }

    private func step() -> CInt {
      steps += 1
      guard steps % Self.stepsBetweenQuestions == 0, !goOn() else { return 0 }
      isStopped = true
      return PCRE2_ERROR_CALLOUT
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
