import CLinux
import Dispatch
import EventLoop
import Foundation
import Testing

/// The C modules must get along with those that Swift itself imports: a type declared in two ways does not compile.
@Test func importsBesideFoundation() throws {
  #expect(MemoryLayout<fd_set>.size == 128)
  var descriptors: [Int32] = [-1, -1]
  #expect(pipe2(&descriptors, O_CLOEXEC) == 0)
  for descriptor in descriptors { close(descriptor) }
}
