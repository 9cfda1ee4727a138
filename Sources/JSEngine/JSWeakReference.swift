import CJavaScriptCore

/// A reference that does not keep its object alive.
public final class JSWeakReference {
  private let context: JSContext
  /// Nil for an object of a closed context.
  private let reference: JSWeakRef?

  public init(_ object: JSObject) {
    context = object.context
    guard !context.isClosed else {
      reference = nil
      return
    }
    // The engine aborts before it returns nil.
    let reference = JSWeakCreate(JSContextGetGroup(context.reference), object.reference)!
    context.weakReferences.insert(reference)
    self.reference = reference
  }

  deinit {
    guard let reference else { return }
    let handle = UncheckedReference(reference)
    if context.loop.isOnOwnThread {
      context.releaseWeak(handle)
    } else {
      let orphan = Orphan(context: context)
      context.loop.perform { orphan.context.releaseWeak(handle) }
    }
  }

  /// Only carried to the thread of its context, which alone uses it.
  private struct Orphan: @unchecked Sendable { let context: JSContext }

  /// The object, unless it has been collected or the context is closed.
  public var object: JSObject? {
    guard !context.isClosed, let reference, let object = JSWeakGetObject(reference) else { return nil }
    return JSObject(adopting: object, in: context)
  }
}

@available(*, unavailable)
extension JSWeakReference: Sendable {}

extension JSContext {
  fileprivate func releaseWeak(_ handle: UncheckedReference) {
    guard weakReferences.remove(handle.pointer) != nil else { return }
    JSWeakRelease(JSContextGetGroup(reference), handle.pointer)
  }
}
