/// How lines are broken for display.
enum WrapMode: Equatable, Sendable {
  case off
  /// At so many bytes of UTF-8 (`wrap_width`), between words only.
  case bytes(Int)
  /// At so many cells (`word_wrap`), between words, or within one that is longer.
  case cells(Int)
  /// The same in the units of a front end that measures text itself, in ``MeasuredWidths/scale`` parts.
  case measured(Int)
}
