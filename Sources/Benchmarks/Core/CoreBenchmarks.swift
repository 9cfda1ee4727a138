import Glibc
import JSON

extension Harness {
  /// The core over real pipes. The reference is `cat` in its place: what the pipes alone cost.
  mutating func measureCore(traces: [String]) throws {
    let echo = try measureEcho()
    try measureKeys(fileByteCount: 50_000, name: "50 kB", echo: echo)
    try measureKeys(fileByteCount: 100_000_000, name: "100 MB", echo: echo)
    try measureKeysAfterMany(echo: echo)
    try measureTasks(echo: echo)
    for (name, count) in [("1 KB", 1000), ("1 MB", 1_000_000), ("100 MB", 100_000_000), ("1 GB", 1_000_000_000)] {
      try measureMemory(fileByteCount: count, name: name)
    }
    for path in traces { try measureReplay(of: EditingTrace(path: path)) }
    if traces.isEmpty { try measureReplay(of: EditingTrace(syntheticPatches: 50_000)) }
  }

  /// There and back through two pipes and a process that does nothing.
  private mutating func measureEcho() throws -> Double? {
    let cat = try BenchmarkCore("/bin/cat")
    let line = Array(#"{"method":"update","params":{"update":"as long as the one that a key brings"}}"#.utf8 + [0x0A])
    return try measure("pipe: a line through cat and back", units: 200, setUp: { () }) { _ in
      for _ in 0..<200 {
        cat.send(line)
        try cat.awaitUpdate()
      }
    }
  }

  private mutating func measureKeys(fileByteCount: Int, name: String, echo: Double?) throws {
    let path = "/tmp/xiedit-bench-\(getpid()).txt"
    defer { unlink(path) }
    try writeLines(fileByteCount, to: path)
    let core = try BenchmarkCore()
    let view = try core.openView(path)
    _ = try core.request("get_config", ["view_id": .string(view)])
    let key = Array(
      #"{"method":"edit","params":{"view_id":"\#(view)","method":"insert","params":{"chars":"x"}}}"#.utf8 + [0x0A])
    try measureEach("core: key to update, \(name)", count: 20_000, against: [("cat", echo)]) { _ in
      core.send(key)
      try core.awaitUpdate()
    }
  }

  /// As on a day's end. Lines end now and then, as people's do.
  private mutating func measureKeysAfterMany(echo: Double?) throws {
    let name = "core: key to update, after 300 000 edits"
    guard filter.isEmpty || name.contains(filter) else { return }
    let core = try BenchmarkCore()
    let view = try core.openView()
    let edits = (0..<300_000).map { index in
      let letter = index % 40 == 39 ? "\\n" : "x"
      return #"{"method":"edit","params":{"view_id":"\#(view)","method":"insert","params":{"chars":"\#(letter)"}}}"#
        + "\n"
    }
    try core.sendReadingMeanwhile(Array(edits.joined().utf8))
    _ = try core.request("get_config", ["view_id": .string(view)])
    try measureEach(name, count: 20_000, against: [("cat", echo)]) { index in
      core.edit(view, "insert", ["chars": index % 40 == 39 ? "\n" : "x"])
      try core.awaitUpdate()
    }
    note("core: memory after 320 000 edits", bytes: core.memory.resident)
  }

  /// What a core takes that has read a file, at most and then; the reference is the file.
  private mutating func measureMemory(fileByteCount: Int, name: String) throws {
    let workload = "core: memory, \(name)"
    guard filter.isEmpty || workload.contains(filter) else { return }
    let path = "/var/tmp/xiedit-bench-\(getpid()).txt"
    defer { unlink(path) }
    try writeLines(fileByteCount, to: path)
    let core = try BenchmarkCore()
    let view = try core.openView(path)
    // Done when all is there.
    core.edit(view, "find", ["chars": "no such word", "case_sensitive": true, "regex": false, "whole_words": false])
    try core.await(#""matches":0,"#)
    let file = [("file", Double(fileByteCount))]
    note(workload, bytes: core.memory.resident, against: file)
    note("\(workload), most", bytes: core.memory.peak, against: file)
  }

  private func writeLines(_ byteCount: Int, to path: String) throws {
    guard let file = fopen(path, "w") else { throw BenchmarkCore.Failure(reason: path) }
    defer { fclose(file) }
    let line = "the quick brown fox jumps over the lazy dog and goes on to the end of the line\n"
    for _ in 0..<(byteCount / line.utf8.count) { fputs(line, file) }
  }

  /// Every patch as a gesture that selects and an insertion, sent as fast as the core takes them.
  private mutating func measureReplay(of trace: EditingTrace) throws {
    let script = trace.script(forView: "view-id-1")
    try measure("core: trace \(trace.name), \(trace.patches.count) patches", setUp: { try BenchmarkCore() }) { core in
      let view = try core.openView()
      core.edit(view, "insert", ["chars": .string(String(decoding: trace.start, as: UTF8.self))])
      try core.sendReadingMeanwhile(script)
      let text = try core.request("debug_get_contents", ["view_id": .string(view)]).string
      guard text == String(decoding: trace.end, as: UTF8.self) else {
        throw BenchmarkCore.Failure(reason: "\(trace.name) ends in another text")
      }
    }
  }
}
