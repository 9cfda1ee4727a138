import Testing
import Trestle
import TrestleModules

/// `URLPattern`.
@Suite struct URLPatternTests {
  /// The groups of the path, or `null`.
  @Test(arguments: [
    ("/notes/:id", "/notes/12", #"{"id":"12"}"#), ("/notes/:id", "/notes/12/a", "null"),
    ("/notes/:id?", "/notes", "{}"),
    ("/notes/:id*", "/notes/1/2/3", #"{"id":"1/2/3"}"#), ("/notes/:id+", "/notes", "null"),
    ("/*", "/a/b", #"{"0":"a/b"}"#),
    (#"/:year(\d{4})-:rest"#, "/2026-x", #"{"year":"2026","rest":"x"}"#), (#"/:year(\d{4})"#, "/26", "null"),
    ("/a{b}?/c", "/ab/c", "{}"), ("/a{b}?/c", "/a/c", "{}"), ("/a{/:x}*", "/a/1/2", #"{"x":"1/2"}"#),
    ("/{:name}.:end", "/a.b.c", #"{"name":"a","end":"b.c"}"#), (#"/a\:b"#, "/a:b", "{}"), ("/é", "/%C3%A9", "{}"),
    ("/a/../b", "/b", "{}"), ("/:__proto__", "/x", #"{"__proto__":"x"}"#),
    ("/(a|b)/(c)", "/b/c", #"{"0":"b","1":"c"}"#),
  ])
  func paths(pattern: String, path: String, groups: String) async throws {
    let text = try await evaluated(
      "JSON.stringify(new URLPattern({ pathname: String.raw`\(pattern)` }).exec('https://example.org\(path)')?.pathname.groups ?? null)"
    )
    #expect(text == groups)
  }

  /// A text is taken apart, and what it does not say is anything or nothing.
  @Test(arguments: [
    ("'https://example.org/a'", "https|example.org||/a|*|*"), ("'https://example.org'", "https|example.org||*|*|*"),
    ("'https://*.example.org:8080/x?q=:q#h'", "https|*.example.org|8080|/x|q=:q|h"),
    ("'https://example.org:443/'", "https|example.org||/|*|*"), ("'http{s}?://a/b'", "http{s}?|a||/b|*|*"),
    (#"'data\\:text/*'"#, "data|||text/*|*|*"),
    ("'../x?y', 'https://example.org/a/b/c'", "https|example.org||/a/x|y|*"),
    ("'https://[\\\\:\\\\:1]/'", #"https|[\:\:1]||/|*|*"#),
    ("{ baseURL: 'https://example.org/a?b#c' }", "https|example.org||/a|b|c"),
    ("{ pathname: 'x', baseURL: 'https://example.org/a/b' }", "https|example.org||/a/x|*|*"), ("", "*|*|*|*|*|*"),
    ("{ search: '?a', hash: '#b', protocol: 'ftp:', port: '21' }", "ftp|*||*|a|b"),
  ])
  func parts(arguments: String, expected: String) async throws {
    let text = try await evaluated(
      """
      (() => {
        const { protocol, hostname, port, pathname, search, hash } = new URLPattern(\(arguments));
        return [protocol, hostname, port, pathname, search, hash].join('|');
      })()
      """)
    #expect(text == expected)
  }

  @Test func matchesWithoutRegardToCaseIfAsked() async throws {
    let text = try await evaluated(
      """
      [new URLPattern({ pathname: '/A' }).test('https://x/a'), new URLPattern({ pathname: '/A' }, { ignoreCase: true }).test('https://x/a'),
        new URLPattern('https://x/A', { ignoreCase: true }).test({ protocol: 'https', hostname: 'x', pathname: '/a' }), new URLPattern().test('no URL'),
        new URLPattern({ pathname: '/a' }).test('b/../a', 'https://x/'), new URLPattern('https://x/(.)').hasRegExpGroups].join()
      """)
    #expect(text == "false,true,true,false,true,true")
  }

  @Test func resultsAreOrdinaryObjects() async throws {
    let text = try await evaluated(
      """
      (() => {
        const result = new URLPattern('https://*.org/:x').exec('https://a.org/b'), { hostname, pathname } = result;
        return [JSON.stringify(result.inputs), hostname.input, hostname.groups[0], pathname.groups.x, Object.getPrototypeOf(result) === Object.prototype,
          Object.getPrototypeOf(pathname.groups) === Object.prototype].join();
      })()
      """)
    #expect(text == #"["https://a.org/b"],a.org,a,b,true,true"#)
  }

  /// Each names the pattern, and where.
  @Test(arguments: [
    ("'/a'", "'/a' has no protocol, and there is no base"),
    ("{ pathname: '/(a' }", "a group without an end, in '/(a' at 2"),
    ("{ pathname: '/:' }", "no name behind a colon, in '/:' at 2"),
    ("{ pathname: '/:a/:a' }", "the name 'a' comes twice, in '/:a/:a'"),
    ("{ pathname: '/{a' }", "unexpected end, in '/{a' at 4"), ("{ pathname: '/a}' }", "unexpected '}', in '/a}' at 3"),
    ("{ pathname: '/()' }", "an empty group, in '/()' at 2"),
    ("{ pathname: '/(a(b))' }", "a group in a group that captures, in '/(a(b))' at 2"),
    (#"{ pathname: '/(\\u)' }"#, "a group that is no regular expression"),
    ("{ port: '99999' }", "'99999' is no port of a URL"),
    ("{ protocol: '1' }", "'1' is no protocol of a URL"), ("'a', 'b'", "'b' is no URL to be the base of a pattern"),
    ("{}, 'https://x'", "an object has it as baseURL"), (#"{ hash: '\\' }"#, "nothing behind a backslash"),
  ])
  func mistakes(arguments: String, message: String) async throws {
    let text = try await evaluated(
      "(() => { try { new URLPattern(\(arguments)) } catch (error) { return `${error instanceof TypeError} ${error.message}` } })()"
    )
    #expect(text.hasPrefix("true ") && text.contains(message), "\(text)")
  }

  /// The text of a pattern makes the same pattern again, whatever three pieces it is made of.
  @Test func textsMakeThemselves() async throws {
    let text = try await evaluated(
      #"""
      (() => {
        const pieces = ['/', 'a', ':x', ':y', '*', '(b)', '{c}', '{/:z}', '{d}?', '?', '+', '\\.', 'é', '{', '}', '('], failed = [], protocol = 'https';
        let made = 0;
        for (const one of pieces) for (const two of pieces) for (const three of pieces) {
          const pathname = one + two + three;
          let pattern;
          try { pattern = new URLPattern({ pathname, protocol }); } catch (error) { if (!(error instanceof TypeError)) failed.push(pathname); continue; }
          const again = new URLPattern({ pathname: pattern.pathname, protocol });
          made++;
          if (again.pathname !== pattern.pathname) failed.push(`${pathname}: ${pattern.pathname}, ${again.pathname}`);
          for (const path of ['/', '/a', '/a/b', '/b/c/d', '/c/x', 'abc']) {
            if (pattern.test({ protocol, pathname: path }) !== again.test({ protocol, pathname: path })) failed.push(`${pathname}, ${path}`);
          }
        }
        return `${made > 1000 ? '' : made} ${failed.slice(0, 5).join(' ')}`;
      })()
      """#)
    #expect(text == " ")
  }

  private func evaluated(_ expression: String) async throws -> String {
    let bridge = try await ModuleBridge()
    try await bridge.run("globalThis.made = () => \(expression)")
    let text = try await bridge.bridge.call("made", as: String.self)
    await bridge.bridge.close()
    return text
  }
}
