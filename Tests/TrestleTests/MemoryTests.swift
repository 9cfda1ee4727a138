import TestSupport
import Testing

/// What bridges leave behind, in a process of their own: that of the tests grows and shrinks with other tests.
@Suite(.offThePool) struct MemoryTests {
  /// One line of the fixture's.
  private struct Sample {
    let kilobytes: Int
    let threads: Int

    init?(_ line: Substring) {
      let numbers = line.split(separator: " ").compactMap { Int($0) }
      guard numbers.count == 3 else { return nil }
      (kilobytes, threads) = (numbers[1], numbers[2])
    }
  }

  @Test func twoHundredBridgesLeaveNoMemoryBehind() throws {
    let products = try LinkedProducts()
    let object = try products.compile(LinkedProducts.fixture("Cycles/Cycles.swift"), module: "Cycles")
    let program = try products.linkProgram("cycles", of: [object] + LinkedProducts.objectsOfTrestle())
    // Every new thread may get a heap of its own: all together, they fill up over more than two hundred cycles.
    let output = try products.run("env", "MALLOC_ARENA_MAX=1", program)
    let samples = output.split(separator: "\n").compactMap(Sample.init)
    try #require(samples.count == 200, "\(output)")
    // The engine gives a megabyte back and takes it again from one cycle to the next: medians of twenty tell no such thing.
    let growth = median(samples[180...]) - median(samples[30..<50])
    #expect(growth < 2048, "\(output)")
    // The pools of Swift and of the engine have more at one time than at another.
    #expect(samples[199].threads <= samples[9].threads + 8, "\(output)")
  }

  /// Made, handed to a script, dropped by it.
  @Test func aMillionSharedObjectsLeaveNothingBehind() throws {
    let products = try LinkedProducts()
    let object = try products.compile(LinkedProducts.fixture("Objects/Objects.swift"), module: "Objects")
    let program = try products.linkProgram("objects", of: [object] + LinkedProducts.objectsOfTrestle())
    let output = try products.run(program)
    let lines = output.split(separator: "\n").map { $0.split(separator: " ").compactMap { Int($0) } }
    try #require(lines.count == 11, "\(output)")
    for line in lines[..<10] { #expect(line[1] < 100 && line[2] == line[1], "\(output)") }
    #expect(lines[10][1] == 0, "\(output)")
    // The engine keeps more of its memory at one time than at another; to leak 64 bytes of each would be more than this.
    let sizes = lines[..<10].map { $0[3] }
    #expect(sizes[7...].sorted()[1] - sizes[..<3].sorted()[1] < 49_152, "\(output)")
  }

  private func median(_ samples: ArraySlice<Sample>) -> Int { samples.map(\.kilobytes).sorted()[samples.count / 2] }
}
