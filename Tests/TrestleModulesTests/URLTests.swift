import Testing
import Trestle
import TrestleModules

/// `URL` and `URLSearchParams`.
@Suite struct URLTests {
  /// Relative ones are behind `https://base.example/a/b/c`.
  @Test func hrefs() async throws {
    let cases = [
      ("http://user:pass@EXAMPLE.com:80/a/./b/../c d?x=1 2#f g", "http://user:pass@example.com/a/c%20d?x=1%202#f%20g"),
      (#"HTTPS:\\example.com\a\b"#, "https://example.com/a/b"), ("//other/x", "https://other/x"),
      ("../x?q", "https://base.example/a/x?q"), ("http://faß.example/", "http://xn--fa-hia.example/"),
      ("http://ＧＯ.com", "http://go.com/"), ("http://%C3%A9.fr", "http://xn--9ca.fr/"),
      ("http://0x7F.1/", "http://127.0.0.1/"), ("http://192.168.257", "http://192.168.1.1/"),
      ("http://[1:0:0:2::3]/", "http://[1:0:0:2::3]/"), ("http://[::ffff:1.2.3.4]/", "http://[::ffff:102:304]/"),
      ("file:///C|/a/../..", "file:///C:/"), ("mailto:a b@c ?x", "mailto:a b@c%20?x"),
      ("data:text/plain,é", "data:text/plain,%C3%A9"), ("web+demo:/.//no-host/", "web+demo:/.//no-host/"),
      ("http://[1::2", "none"), ("http://a b/", "none"), ("http://a:70000", "none"), ("http://1.2.3.256", "none"),
      ("http://xn--a.é/", "none"), ("http://a%00b/", "none"), ("http://", "none"), ("http://é%00/", "none"),
      ("http://xn--a/", "none"), ("http://a.XN--/", "none"), ("http://xn--a-ecp.example/", "none"),
      ("http://xn--1ug.example/", "none"), ("http://XN--fa-hia.example/", "http://xn--fa-hia.example/"),
      ("http://axn--a/", "http://axn--a/"),
    ]
    let bridge = try await ModuleBridge()
    try await bridge.run("globalThis.href = (text) => URL.parse(text, 'https://base.example/a/b/c')?.href ?? 'none'")
    for (text, expected) in cases { #expect(try await bridge.bridge.call("href", text, as: String.self) == expected) }
    await bridge.bridge.close()
  }

  /// In time that grows with the text alone.
  @Test func manySpacesAreNoWork() async throws {
    let text = try await ModuleBridge.logged(
      "[' '.repeat(3e6) + 'data:x' + ' '.repeat(3e6) + '#f', 'data:x' + ' '.repeat(3e6)].map(text => URL.parse(text).href.length)"
    )
    #expect(text == "[ 3000010, 6 ]")
  }

  @Test(arguments: [
    (
      """
      const u = new URL('http://a/');
      u.host = 'b:81'; u.pathname = 'x y'; u.search = 'q'; u.hash = '#h'; u.username = 'n@'; u.password = ':'; u.protocol = 'https'; u.port = '443'
      """, "u.href", "https://n%40:%3A@b/x%20y?q#h"
    ),
    ("const u = new URL('http://a/'); u.port = '99999'; u.host = '['; u.protocol = 'mailto'", "u.href", "http://a/"),
    ("const u = new URL('http://a/?x=1&x=2'); u.searchParams.append('é', ' +')", "u.search", "?x=1&x=2&%C3%A9=+%2B"),
    (
      "const u = new URL('http://a/?x=1'), p = u.searchParams; p.append('y', 2); u.hash = 'h'; p.set('x', 3); const v = new URL(u); p.delete('x')",
      "[u.href, v.search, u.search, JSON.stringify(u)].join()", #"http://a/?y=2#h,?x=3&y=2,?y=2,"http://a/?y=2#h""#
    ),
    (
      "const u = new URL('http://a/?x=1'), p = u.searchParams; p.append('y', 2); u.search = 'z'; p.append('w', 1); const q = u.search; u.href = 'b:c'; p.append('v', 1)",
      "[q, u.href, p.size].join()", "?z=&w=1,b:c?v=1,1"
    ),
    (
      "const u = new URL('http://a/?x=1'), p = u.searchParams; p.append('y', 2); u.pathname = 'b'; p.delete('x'); p.delete('y'); u.protocol = 'https'",
      "u.href", "https://a/b"
    ),
    (
      "const u = new URL('http://a/?x=1'), p = u.searchParams; u.search = '?y=3'", "p.get('y') + p.has('x') + p.size",
      "3false1"
    ),
    (
      "const u = new URL('blob:https://a:8/x')", "u.origin + JSON.stringify({ u })",
      #"https://a:8{"u":"blob:https://a:8/x"}"#
    ),
    (
      "const p = new URLSearchParams([['b', 1], ['a', 2], ['b', 3]]); p.sort()", "[...p].join(';') + p",
      "a,2;b,1;b,3a=2&b=1&b=3"
    ),
    (
      "const p = new URLSearchParams({ a: 1, b: '%' }); p.set('a', 5); p.delete('b', 'x')",
      "[p, p.getAll('b'), Object.prototype.toString.call(p.keys())].join()",
      "a=5&b=%25,%,[object URLSearchParams Iterator]"
    ),
  ])
  func parts(_ script: String, _ expression: String, _ expected: String) async throws {
    #expect(try await ModuleBridge.logged("(() => { \(script); return \(expression) })()") == expected)
  }

  /// The query is not written anew for each change.
  @Test func manyChanges() async throws {
    let bridge = try await ModuleBridge { $0.limits = ExecutionLimits(time: .seconds(120)) }
    try await bridge.run(
      """
      const u = new URL('http://a/');
      for (let i = 0; i < 100_000; i++) u.searchParams.append('name' + i, i);
      console.log(u.searchParams.size, u.search.length);
      """)
    #expect(bridge.output == "100000 1577780\n" && bridge.uncaught == [])
    await bridge.bridge.close()
  }

  @Test(arguments: [
    ("new URL('a b')", "TypeError ERR_INVALID_URL 'a b' is no URL"),
    ("new URL('//', 'x')", "TypeError ERR_INVALID_URL '//' is no URL behind 'x'"),
    ("new URL()", "TypeError undefined URL: 1 argument needed, got 0"),
    (
      "new URLSearchParams([[1]])",
      "TypeError undefined URLSearchParams, argument 1 'init': expected pairs of a name and a value"
    ),
  ])
  func whatIsWrongIsSaid(_ script: String, _ expected: String) async throws {
    #expect(
      try await ModuleBridge.logged(
        "(() => { try { \(script) } catch (error) { return [error.name, error.code, error.message].map(String).join(' ') } })()"
      )
        == expected)
  }
}
