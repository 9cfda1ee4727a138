/// The Swift objects that JavaScript of one bridge holds, by number. On the JS thread.
final class SharedObjects {
  /// Classes are numbered from here on, where modules would be.
  static let firstClass = 1 << 24

  private struct Entry {
    let object: any SharedObject
    /// How many times JavaScript has been handed it and has not said that it has let go of it.
    var count: UInt64
    let memoryCost: Int
  }

  /// How many bytes the objects may keep together.
  var limit = Int.max
  /// Where several bridges count together.
  var budget: MemoryBudget?
  private var memoryCost = 0

  private var entries: [Entry?] = [nil]
  private var freeNumbers: [UInt32] = []
  private var numbers: [ObjectIdentifier: UInt32] = [:]
  private var classes: [ModuleInstance] = []
  private var classNumbers: [SharedClass: Int] = [:]

  var isEmpty: Bool { numbers.isEmpty }

  /// The number of an object that is about to be handed to JavaScript. O(1).
  ///
  /// - Parameter report: told what an object keeps that JavaScript did not have.
  /// - Returns: 0, for which JavaScript raises an error, if it would have more than it may.
  func handOver(_ object: any SharedObject, report: (_ memoryCost: Int) -> Void) -> UInt32 {
    if let number = numbers[ObjectIdentifier(object)] {
      entries[Int(number)]?.count += 1
      return number
    }
    let cost = max(object.memoryCost, 0)
    guard cost <= limit - memoryCost, budget?.take(cost) != false else { return 0 }
    memoryCost += cost
    report(cost)
    let number = freeNumbers.popLast() ?? UInt32(entries.count)
    if number == entries.count { entries.append(nil) }
    entries[Int(number)] = Entry(object: object, count: 1, memoryCost: cost)
    numbers[ObjectIdentifier(object)] = number
    return number
  }

  /// - Returns: nil for a number that JavaScript does not have.
  func object(_ number: UInt32) -> (any SharedObject)? {
    number < entries.count ? entries[Int(number)]?.object : nil
  }

  /// JavaScript has let go of what it has been handed so many times. What is on its way to it counts on.
  func release(_ number: UInt32, count: UInt64) {
    guard number < entries.count, let entry = entries[Int(number)] else { return }
    if entry.count > count {
      entries[Int(number)]?.count -= count
      return
    }
    memoryCost -= entry.memoryCost
    budget?.giveBack(entry.memoryCost)
    entries[Int(number)] = nil
    numbers[ObjectIdentifier(entry.object)] = nil
    freeNumbers.append(number)
  }

  /// JavaScript has received each of them so many times, by number: it will not hear of what it was handed beside that.
  func releaseUnread(received: [UInt32: UInt64]) {
    for index in entries.indices {
      guard let entry = entries[index], case let count = received[UInt32(index)] ?? 0, entry.count > count else {
        continue
      }
      release(UInt32(index), count: entry.count - count)
    }
  }

  /// Lets go of all objects.
  func removeAll() {
    budget?.giveBack(memoryCost)
    // What goes with the last of them may come back here: not while they are being changed.
    let over = entries
    defer { withExtendedLifetime(over) {} }
    (entries, freeNumbers, numbers, memoryCost) = ([nil], [], [:], 0)
  }

  /// How many objects of which class JavaScript has.
  var counts: [String: Int] {
    entries.reduce(into: [:]) { counts, entry in
      if let entry { counts[type(of: entry.object).sharedClass.name, default: 0] += 1 }
    }
  }

  /// The methods of a class, as of a module, in this bridge.
  func methods(of shared: SharedClass, session: CallSession) -> ModuleInstance {
    if let number = classNumbers[shared] { return classes[number] }
    let instance = ModuleInstance(shared.definition, id: Self.firstClass + classes.count, session: session)
    classNumbers[shared] = classes.count
    classes.append(instance)
    return instance
  }

  /// - Returns: nil for a number that no method has.
  func method(_ method: Int, ofClass number: Int) -> BoundMethod? {
    guard classes.indices.contains(number), classes[number].boundMethods.indices.contains(method) else { return nil }
    return classes[number].boundMethods[method]
  }
}

extension Bridge {
  /// How many Swift objects scripts of this bridge hold, by the name of their class: those that neither the garbage collector
  /// nor `release()` has given up. O(objects).
  public func sharedObjectCounts() throws -> [String: Int] { try openRuntime().session.sharedObjects.counts }
}

extension CommandQueue {
  /// JavaScript has let go of the object of that number; how many times it was handed it follows.
  func releaseObject(_ number: UInt32, _ reader: inout ValueReader) throws(ConversionError) {
    session.sharedObjects.release(number, count: try UInt64.decode(from: &reader))
  }

  /// Writes what JavaScript needs to know of a class: `{id, name, methods}`; undefined if there is none of that number.
  func writeConfig(ofClass id: UInt32, into writer: inout ValueWriter) throws {
    guard let shared = SharedClass.sharedClass(id: id) else { return writer.append(.undefined) }
    let methods = session.sharedObjects.methods(of: shared, session: session)
    try methods.check()
    try methods.bind(in: moduleContext)
    writer.append(.object, low: 3)
    writer.append("id")
    methods.id.encode(into: &writer)
    writer.append("name")
    writer.append(shared.name)
    writer.append("methods")
    try methods.details.methods.encode(into: &writer)
  }
}

extension Invocation {
  /// Has `call` run on the actor's own executor, after all earlier calls that were sent there.
  public func enqueue(on actor: some _Expansion.ModuleActor, _ call: @escaping @Sendable () -> Void) {
    actor.moduleExecutor.enqueue([call])
  }

  /// The same for an actor with an executor of its own.
  @_disfavoredOverload
  public func enqueue(on actor: some Actor, _ call: @escaping @Sendable () -> Void) {
    Task.immediate(priority: ModuleInstance.priority) { await run([call], on: actor) }
  }
}
