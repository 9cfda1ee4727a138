import CLinux

/// The settings of the C library's allocator, for programs that hold much in small pieces.
package enum Allocator {
  /// All threads share one arena. For threads that make memory for one another: an arena of a thread's own grows by a system call for
  /// every other page. Call it first of all.
  package static func shareOneArena() { mallopt(M_ARENA_MAX, 1) }

  /// Gives the pages that nothing uses any more back to the system. The allocator does so by itself only at the end of the heap.
  /// O(free memory), 60 ms for 1 GB.
  package static func giveBackFreeMemory() { malloc_trim(0) }
}
