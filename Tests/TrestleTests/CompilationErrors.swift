import TestSupport
import Testing

/// Checks that the source's errors are those of its comments `// error: …`: at these lines, with these words, each once.
func expectErrors(_ source: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
  let compilation = try Compilation(of: source)
  let expectations = Compilation.expectations(in: source)
  func fits(_ error: Compilation.Message, _ expected: Compilation.Message) -> Bool {
    error.line == expected.line && error.text.contains(expected.text)
  }
  let missing = expectations.filter { expected in !compilation.errors.contains { fits($0, expected) } }
  let unexpected = compilation.errors.filter { error in !expectations.contains { fits(error, $0) } }
  let output = compilation.output
  #expect(
    missing.isEmpty && unexpected.isEmpty && compilation.errors.count == expectations.count,
    "\(missing) \(unexpected)\n\(output)", sourceLocation: sourceLocation)
}
