import CJavaScriptCore

extension JSContext {
  /// `Symbol(description)`: equal to no other.
  public func symbol(_ description: String) -> JSValue {
    immediate { context in withJSString(description) { JSValueMakeSymbol(context, $0) } }
  }
}
