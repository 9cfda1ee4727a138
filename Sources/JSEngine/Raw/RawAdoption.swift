import CJavaScriptCore

extension JSContext {
  /// Protects a raw value, which must be on the stack now.
  package func value(adopting value: RawValue) -> JSValue { JSValue(adopting: value, in: self) }

  /// What a script threw into a raw call.
  package func exception(thrown value: RawValue) -> JSException { makeException(thrown: value) }
}
