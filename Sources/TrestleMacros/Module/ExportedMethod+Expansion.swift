import SwiftSyntax

/// The member of the definition that a method becomes.
extension ExportedMethod {
  /// - Returns: lines without indentation of their own.
  func expansion(in module: ModuleDeclaration) -> [String] {
    let result = result.map { ", result: \($0.metatype)" } ?? ""
    let list = parameters.isEmpty ? "" : ", [\(parameters.map(\.declaration).joined(separator: ", "))]"
    let head = "Member.method(\(name.swiftLiteral), .\(kind.rawValue)\(list)\(result)\(node.documentationArgument)) "
    return [head + "{ \(isStatic ? "_" : "module") in", "  { (call) throws(ConversionError) in"]
      + (parameters.map(\.reading) + body(in: module)).map { "    " + $0 }
      + ["  }", "}"]
  }

  /// The call itself, on `receiver`.
  private func invocation(on receiver: String) -> String {
    let effects = (isThrowing ? "try " : "") + (isAsync ? "await " : "")
    return "\(effects)\(receiver).\(node.name.text)(\(parameters.map(\.passed).joined(separator: ", ")))"
  }

  private func body(in module: ModuleDeclaration) -> [String] {
    let receiver = isStatic ? module.typeName : "module"
    let plain = invocation(on: receiver)
    switch place {
    case .jsThread: return isLeftAlone ? callingBack(plain) : ["call.\(answer) { \(plain) }"]
    case .task: return started("", answering(plain))
    case .actor:
      let inner = isAsync ? started("_ = module", answering(plain), reply: false) : answering(plain)
      return replyLine(needed: isAsync || !isLeftAlone)
        + ["call.enqueue {", "  module.assumeIsolated { module in"] + inner.map { "    " + $0 } + ["  }", "}"]
    case .globalActor(let actor):
      let isOwn = if case .globalActor = module.isolation { !isStatic } else { false }
      return started("@\(actor) in", isOwn ? onGlobalActorInstance(in: module) : answering(plain))
    }
  }

  /// Makes the instance there, if need be.
  private func onGlobalActorInstance(in module: ModuleDeclaration) -> [String] {
    let failing = kind == .callbacks ? rejection : "reply.reject(error)"
    return ["do {", "  let instance = try module.value \(module.makeOrFail)"]
      + answering(invocation(on: "instance")).map { "  " + $0 }
      + ["} catch { \(failing) }"]
  }

  private func replyLine(needed: Bool) -> [String] { needed ? ["let reply = call.reply()"] : [] }

  /// `lines` in a task that starts now.
  private func started(_ first: String, _ lines: [String], reply: Bool = true) -> [String] {
    let isSignature = first.hasSuffix("in")
    return replyLine(needed: reply) + ["reply.start {" + (isSignature ? " \(first)" : "")]
      + (isSignature || first.isEmpty ? [] : ["  " + first])
      + lines.map { "  " + $0 } + ["}"]
  }

  /// Answers the reply with what the call gives or throws.
  private func answering(_ invocation: String) -> [String] {
    if isLeftAlone { return callingBack(invocation) }
    return ["\(isAsync ? "await " : "")reply.\(answer) { \(invocation) }"]
  }

  /// Whether nothing is to be answered when the method has run: it does so itself, or nobody waits and nothing is thrown.
  private var isLeftAlone: Bool { kind == .callbacks || kind == .void && !isThrowing && !isAsync }

  /// The call; what it throws is for the failure callback.
  private func callingBack(_ invocation: String) -> [String] {
    isThrowing ? ["do { \(invocation) } catch { \(rejection) }"] : [invocation]
  }

  private var answer: String { result == nil ? "complete" : "answer" }

  private var rejection: String {
    let callbacks = parameters.filter(\.isCallback)
    guard let chosen = callbacks.first(where: { !$0.isOptional }) ?? callbacks.last else { return "" }
    return "\(chosen.local)\(chosen.isOptional ? "?" : "").reject(error)"
  }
}

extension ExportedParameter {
  fileprivate var isOptional: Bool {
    if case .callback(_, isOptional: true) = content { true } else { false }
  }

  /// What the definition says of it.
  fileprivate var declaration: String {
    switch content {
    case .value(let type, let defaultValue):
      "Parameter(\(name.swiftLiteral), \(type.metatype)\(defaultValue == nil ? "" : ", hasDefault: true"))"
    case .callback(let value, let isOptional):
      ".callback(\(name.swiftLiteral), \(value).self\(isOptional ? ", isOptional: true" : ""))"
    }
  }

  /// The line that reads the argument.
  fileprivate var reading: String {
    switch content {
    case .value(let type, let defaultValue):
      "let \(local) = try call.next(\(type.metatype)\(defaultValue.map { ", default: \($0)" } ?? ""))"
    case .callback(let value, let isOptional):
      "let \(local) = try call.\(isOptional ? "optionalCallback" : "callback")(\(value).self)"
    }
  }
}
