import CGLib

/// A handle on something a loop watches.
///
/// The loop keeps the source until it is cancelled, or has fired for the last time; the handle may be dropped.
/// Only the loop's own thread may touch it.
public class LoopSource {
  /// Whether the callback will never run again.
  public private(set) final var isCancelled = false
  final private(set) weak var loop: Loop?

  init(on loop: Loop) {
    loop.preconditionOnOwnThread()
    self.loop = loop
  }

  /// Once this has returned the callback never runs again, even if its event has already happened, and what it captured
  /// is released. Again: does nothing. A callback may cancel its own source.
  public final func cancel() {
    guard !isCancelled else { return }
    loop?.preconditionOnOwnThread()
    end()
    loop?.forget(self)
  }

  /// What goes with the callback may cancel it in its turn.
  final func end() {
    isCancelled = true
    detach()
  }

  /// Ends the watch and drops the callback.
  func detach() {}
}

/// A source that GLib watches.
class GLibSource: LoopSource {
  private final var source: UnsafeMutablePointer<GSource>?

  final func attach(
    to loop: Loop, _ functions: UnsafeMutablePointer<GSourceFuncs>, priority: CInt = G_PRIORITY_DEFAULT,
    configure: (UnsafeMutablePointer<GSource>) -> Void = { _ in }
  ) {
    let source = makeOwnedSource(functions, owner: Unmanaged.passUnretained(self as GLibSource).toOpaque())
    g_source_set_priority(source, priority)
    configure(source)
    g_source_attach(source, loop.context)
    self.source = source
    loop.retain(self)
    loop.noteChange()
  }

  override func detach() {
    if let source { release(source) }
    source = nil
  }

  /// The event happened.
  func fire() {}

  /// Whether the callback runs.
  private final var isFiring = false

  fileprivate final func fireUnlessFiring() {
    // In a loop that the callback itself runs: the event waits, and the loop sleeps, until the callback has returned.
    if isFiring { return setWatched(false) }
    isFiring = true
    fire()
    isFiring = false
    setWatched(true)
  }

  // MARK: Descriptors

  private final var descriptorTag: gpointer?
  private final var condition = GIOCondition(0)
  private final var isWatched = true

  /// Fires while `descriptor` is as `condition` says.
  final func attach(to loop: Loop, watching descriptor: CInt, _ condition: GIOCondition) {
    self.condition = condition
    attach(to: loop, &descriptorSourceFunctions) { source in
      // Otherwise GLib stops watching while the source fires, and writes to the loop's event descriptor before and after.
      g_source_set_can_recurse(source, 1)
      descriptorTag = g_source_add_unix_fd(source, descriptor, condition)
    }
  }

  private final func setWatched(_ isWatched: Bool) {
    guard isWatched != self.isWatched, let source, let descriptorTag else { return }
    self.isWatched = isWatched
    g_source_modify_unix_fd(source, descriptorTag, isWatched ? condition : GIOCondition(0))
  }
}

// Only read: variables because GLib takes their address.

/// Dispatch alone: GLib itself finds out when a descriptor is ready.
nonisolated(unsafe) var descriptorSourceFunctions = GSourceFuncs(
  prepare: nil, check: nil,
  dispatch: { source, _, _ in
    Unmanaged<GLibSource>.fromOpaque(ownerPointer(of: source)).takeUnretainedValue().fireUnlessFiring()
    return 1
  },
  finalize: nil, closure_callback: nil, closure_marshal: nil)

/// Always ready.
nonisolated(unsafe) var idleSourceFunctions = GSourceFuncs(
  prepare: { _, timeout in
    timeout?.pointee = 0
    return 1
  },
  check: { _ in 1 }, dispatch: descriptorSourceFunctions.dispatch,
  finalize: nil, closure_callback: nil, closure_marshal: nil)

func makeOwnedSource(
  _ functions: UnsafeMutablePointer<GSourceFuncs>, owner: UnsafeMutableRawPointer
) -> UnsafeMutablePointer<GSource> {
  // GLib aborts before it returns nil.
  let source = g_source_new(functions, guint(MemoryLayout<CGLibOwnedSource>.size))!
  UnsafeMutableRawPointer(source).assumingMemoryBound(to: CGLibOwnedSource.self).pointee.owner = owner
  return source
}

func ownerPointer(of source: UnsafeMutablePointer<GSource>?) -> UnsafeMutableRawPointer {
  UnsafeMutableRawPointer(source!).assumingMemoryBound(to: CGLibOwnedSource.self).pointee.owner
}

func release(_ source: UnsafeMutablePointer<GSource>) {
  g_source_destroy(source)
  g_source_unref(source)
}
