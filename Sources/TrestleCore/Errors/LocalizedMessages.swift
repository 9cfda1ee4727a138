import EventLoop

/// Where the conversions for Foundation's types leave the way to `LocalizedError.errorDescription`: the core itself does not
/// link Foundation.
package enum LocalizedMessages {
  package typealias Source = @Sendable (any Error) -> String?
  private static let source = Lock<Source?>(nil)

  package static func use(_ source: @escaping Source) { self.source.withLock { $0 = source } }

  static func message(of error: any Error) -> String? { source.withLock { $0 }?(error) }
}
