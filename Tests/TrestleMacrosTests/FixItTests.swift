import Testing

/// The corrections that an editor can apply, and the notes.
struct FixItTests {
  @Test func makesMethodNonisolated() {
    let expansion = Expansion(
      of: """
        @NativeModule actor Files {
          /// The size.
          @Exported(.sync) func size() -> Int { 3 }
        }
        """)
    #expect(
      expansion.mistakes == [
        "3:3 'size' is isolated to its actor, and the JS thread cannot wait for that: make it 'nonisolated', "
          + "or drop '.sync', so that it gives a promise",
        "fix: @Exported(.sync) nonisolated func size() -> Int { 3 }",
      ])
  }

  @Test func makesConstantNonisolatedOrFixed() {
    let expansion = Expansion(
      of: """
        @NativeModule actor Files {
          @Exported var size: Int { 3 }
          @Exported private var kind: Int { 3 }
          @Exported var count = 3
        }
        """)
    #expect(
      expansion.mistakes.filter { $0.hasPrefix("fix") } == [
        "fix: @Exported nonisolated var size: Int { 3 }",
        "fix: @Exported private nonisolated var kind: Int { 3 }",
        "fix: @Exported let count = 3",
      ])
  }

  @Test func takesArrayForVariadic() {
    let expansion = Expansion(of: "@NativeModule actor Sums { @Exported func sum(_ numbers: Int...) {} }")
    #expect(expansion.mistakes.last == "fix: _ numbers: [Int]")
  }

  @Test func givesEnumerationARawType() {
    let expansion = Expansion(of: "@Record enum Mode: CaseIterable { case read, write }")
    #expect(expansion.mistakes.last == "fix: @Record enum Mode: String, CaseIterable { case read, write }")
  }

  @Test func namesTheOtherPlace() {
    let expansion = Expansion(
      of: """
        @NativeModule actor Files {
          @Exported func read() {}
          @Exported("read") func load() {}
        }
        """)
    #expect(
      expansion.mistakes == [
        "3:26 JavaScript already has a member 'read' of 'Files': give this one another name, '@Exported(\"read2\")'",
        "note 2: 'read' is first exported here",
      ])
  }
}
