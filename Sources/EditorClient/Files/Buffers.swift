import EditorProtocol

/// All that is open: what it is called, the list, saving all of it.
extension Editor {
  /// The list of the views: the one that was shown before is the first, so that Enter goes back to it.
  func openBufferList() {
    guard view != nil else { return }
    let names = views.names
    let order = views.all.indices.sorted { views.all[$0].shownCount > views.all[$1].shownCount }
    let entries = (order.filter { $0 != views.currentIndex } + [views.currentIndex]).map { index in
      let view = views.all[index]
      return Menu.Entry(
        names[index], detail: view.path?.folder ?? "no file yet", key: views.isClean(view) ? "" : "modified"
      ) { editor in
        if let index = editor.views.all.firstIndex(where: { $0 === view }) { editor.views.show(at: index) }
      }
    }
    mode = Menu(self, "Buffer", entries)
  }
}
