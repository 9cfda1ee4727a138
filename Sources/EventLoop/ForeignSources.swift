import CGLib

extension Loop {
  /// Runs `make`, in which another library attaches sources to the loop; from then on those of the name `name` fire inside
  /// `surround`, which is handed what the library would have run and runs it once. They come in turn with the loop's own work:
  /// a lower priority would keep them waiting for as long as there is any.
  ///
  /// - Returns: what `make` returns, and how many sources there are.
  package func surroundingSources<Result>(
    named name: String, with surround: @escaping (() -> Void) -> Void, attachedBy make: () -> Result
  ) -> (result: Result, count: Int) {
    // A context numbers its sources in the order in which they are attached.
    let before = attachAndDetachSource()
    let result = make()
    let after = attachAndDetachSource()
    var count = 0
    for id in (before + 1)..<max(after, before + 1) {
      guard let source = g_main_context_find_source_by_id(context, id),
        let sourceName = g_source_get_name(source), String(cString: sourceName) == name
      else { continue }
      if interpose(surround, on: source) { count += 1 }
    }
    return (result, count)
  }

  private func attachAndDetachSource() -> guint {
    let source = makeOwnedSource(&descriptorSourceFunctions, owner: Unmanaged.passUnretained(self).toOpaque())
    let id = g_source_attach(source, context)
    release(source)
    return id
  }

  private func interpose(
    _ surround: @escaping (() -> Void) -> Void, on source: UnsafeMutablePointer<GSource>
  ) -> Bool {
    guard let functions = source.pointee.callback_funcs else { return false }
    var callback: GSourceFunc?
    var data: gpointer?
    functions.pointee.get(source.pointee.callback_data, source, &callback, &data)
    guard let callback else { return false }
    g_source_set_priority(source, G_PRIORITY_DEFAULT)
    let body = Unmanaged.passRetained(SurroundedCallback(callback, data, surround))
    g_source_set_callback(
      source, { body in body.map { Unmanaged<SurroundedCallback>.fromOpaque($0).takeUnretainedValue().fire() } ?? 0 },
      body.toOpaque(), { body in body.map { Unmanaged<SurroundedCallback>.fromOpaque($0).release() } })
    return true
  }
}

private final class SurroundedCallback {
  private let callback: GSourceFunc
  private let data: gpointer?
  private let surround: (() -> Void) -> Void

  init(_ callback: @escaping GSourceFunc, _ data: gpointer?, _ surround: @escaping (() -> Void) -> Void) {
    (self.callback, self.data, self.surround) = (callback, data, surround)
  }

  func fire() -> gboolean {
    var continues: gboolean = 1
    surround { continues = callback(data) }
    return continues
  }
}
