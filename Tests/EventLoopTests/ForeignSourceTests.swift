import CGLib
import Testing

@testable import EventLoop

@Suite struct ForeignSourceTests {
  @Test func sourcesOfALibraryFireInsideWhatSurroundsThem() {
    let loop = Loop()
    final class Counts { var (inside, outside, callbacks) = (0, 0, 0) }
    let counts = Counts()
    func attach(_ name: String) -> UnsafeMutablePointer<GSource>? {
      let source = g_idle_source_new()
      g_source_set_name(source, name)
      g_source_set_callback(
        source,
        { counts in
          if let counts { Unmanaged<Counts>.fromOpaque(counts).takeUnretainedValue().callbacks += 1 }
          return 0
        }, Unmanaged.passUnretained(counts).toOpaque(), nil)
      g_source_attach(source, loop.context)
      return source
    }
    let before = attach("the library")
    let (sources, count) = loop.surroundingSources(named: "the library") { body in
      counts.inside += 1
      body()
      counts.outside += 1
    } attachedBy: {
      [attach("the library"), attach("another")]
    }
    let after = attach("the library")
    #expect(count == 1)
    while counts.callbacks < 4 { loop.iterate() }
    #expect(counts.inside == 1 && counts.outside == 1)
    for source in sources + [before, after] { g_source_unref(source) }
  }
}
