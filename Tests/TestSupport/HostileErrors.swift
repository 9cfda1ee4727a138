/// Expressions of what a script may throw and nobody can look at: each way to ask it something throws, or is gone.
public let hostileErrors = [
  "new Proxy(new Error('mine'), { ownKeys() { throw 1 } })",
  """
  new Proxy({}, {
    get() { throw new Error('get') }, has() { throw 2 }, getPrototypeOf() { throw 3 }, getOwnPropertyDescriptor() { throw 4 }, ownKeys() { throw 5 },
    defineProperty() { throw 6 }, set() { throw 7 },
  })
  """,
  "(() => { const { proxy, revoke } = Proxy.revocable(function () {}, {}); revoke(); return proxy })()",
  """
  Object.defineProperties(new Error('mine'), Object.fromEntries(
    ['name', 'message', 'stack', 'code', 'cause', 'errors', 'toString'].map((name) => [name, { get() { throw new Error(name) } }])))
  """,
  "({ toString() { throw 8 }, [Symbol.toPrimitive]() { throw 9 }, get then() { throw 10 } })",
]
