extension Bridge {
  /// - Parameter names: nil for all modules.
  /// - Returns: them in the order of their numbers, their members described.
  /// - Throws: `ERR_NOT_FOUND` for a name that no module has, with the nearest of those that are there.
  func modules(named names: [String]?) throws -> [ModuleInstance] {
    try requireModules(names ?? [])
    let modules = try openRuntime().registry.modules.filter { names?.contains($0.definition.name) ?? true }
    for module in modules { try module.check() }
    return modules
  }

  /// The names of all modules, in the order of their numbers.
  package func moduleNames() throws -> [String] { try openRuntime().registry.modules.map(\.definition.name) }

  /// - Throws: as `modules(named:)`.
  package func requireModules(_ names: [String]) throws {
    let all = try moduleNames()
    for name in names where !all.contains(name) {
      let nearest = name.nearest(of: all).map { ": is it '\($0)'?" } ?? ", only \(all.sorted().joined(separator: ", "))"
      throw BridgeError(.notFound, "there is no module '\(name)'\(nearest)")
    }
  }
}

extension String {
  /// The one that it was probably meant to be: with at most a third of its letters wrong.
  func nearest(of candidates: [String]) -> String? {
    let distances = candidates.map { (name: $0, distance: editDistance(to: $0)) }
    let nearest = distances.min { $0.distance < $1.distance }
    return nearest.flatMap { $0.distance <= Swift.max(1, $0.name.count / 3) ? $0.name : nil }
  }

  /// How many letters are to be replaced, put in or left out, capitals aside.
  private func editDistance(to other: String) -> Int {
    let (own, other) = (Array(lowercased()), Array(other.lowercased()))
    var row = Array(0...other.count)
    for (i, letter) in own.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (k, otherLetter) in other.enumerated() {
        let replaced = diagonal + (letter == otherLetter ? 0 : 1)
        diagonal = row[k + 1]
        row[k + 1] = Swift.min(replaced, diagonal + 1, row[k] + 1)
      }
    }
    return row[other.count]
  }
}
