/// What was made, and what to do with it.
struct InitReport {
  let skeleton: Skeleton
  let folder: String
  let hasColor: Bool

  var text: String {
    let width = skeleton.files.map(\.path.count).max() ?? 0
    let files = skeleton.files.map { file in
      "  \(strong(file.path))\(String(repeating: " ", count: width - file.path.count))  \(file.purpose)\n"
    }
    let way = (folder.hasPrefix("-") ? "-- " : "") + folder.asShellWord
    let steps = (folder == "." ? [] : ["cd \(way)"]) + skeleton.commands.map(\.command)
    return """
      Made the tool \(skeleton.name) in \(folder == "." ? "this folder" : folder.withVisibleControls):
      \(files.joined())
      It takes Trestle from \(skeleton.package.description.withVisibleControls)

      What to do next:
      \(steps.map { "  \(strong($0.withVisibleControls))" }.joined(separator: "\n"))

      """
  }

  private func strong(_ words: String) -> String { hasColor ? "\u{1B}[1m\(words)\u{1B}[22m" : words }
}
