import Testing
import Trestle
import TrestleModules

/// `Blob` and `File`.
@Suite struct BlobTests {
  @Test(arguments: [
    (
      "const b = new Blob(['añ', new Uint8Array([66]), new DataView(new ArrayBuffer(1)), new Blob(['c']), 5], { type: 'Text/Plain' }); console.log(b.size, b.type, JSON.stringify(await b.text()))",
      [#"7 text/plain "añB\u0000c5""#]
    ),
    (
      "console.log(new Blob().size, new Blob(undefined).type === '', await new Blob(new Set(['x', 'y'])).text())",
      ["0 true xy"]
    ),
    (
      "console.log(await new Blob(['\\uD800', '\\uFEFFx']).text(), new Blob(['a\\r\\nb\\rc'], { endings: 'native' }).size)",
      ["\u{FFFD}\u{FEFF}x 5"]
    ),
    ("console.log(await new Blob(['\\uFEFFx']).text(), new Blob([], { type: 'é' }).type === '')", ["x true"]),
    (
      "const b = new Blob(['0123456789']); for (const range of [[2, 4], [-3], [4, 2], [-100, 100], [NaN, Infinity], ['1', 2.9]]) console.log(await b.slice(...range).text()); console.log(b.slice(0, 1, 'A/B').type)",
      ["23", "789", "", "0123456789", "0123456789", "1", "a/b"].filter { !$0.isEmpty }
    ),
    (
      "const given = new Uint8Array([1, 2, 3]), b = new Blob([given]); given[0] = 9; const bytes = await b.bytes(); bytes[1] = 9; console.log(await b.bytes(), (await b.arrayBuffer()).byteLength)",
      ["Uint8Array(3) [ 1, 2, 3 ] 3"]
    ),
    (
      "let size = 0, count = 0; for await (const chunk of new Blob([new Uint8Array(200000).fill(7)]).stream()) { size += chunk.length; count++; if (chunk.at(-1) !== 7) throw 1; } console.log(size, count > 1); for await (const _ of new Blob([]).stream()) console.log('none')",
      ["200000 true"]
    ),
    (
      "const reader = new Blob(['abc']).stream().getReader({ mode: 'byob' }); console.log(await reader.read(new Uint8Array(2)), (await reader.read(new Uint8Array(2))).value, (await reader.read(new Uint8Array(2))).done)",
      ["{ value: Uint8Array(2) [ 97, 98 ], done: false } Uint8Array(1) [ 99 ] true"]
    ),
    (
      "console.log(await textOf(new Blob(['zip']).stream().pipeThrough(new CompressionStream('gzip')).pipeThrough(new DecompressionStream('gzip'))))",
      ["zip"]
    ),
    (
      "const f = new File(['x'], 'naïve.txt', { type: 'text/plain', lastModified: 5 }); console.log(f instanceof Blob, f.name, f.lastModified, f.size, await f.text(), Math.abs(new File([], 'n').lastModified - Date.now()) < 60000)",
      ["true naïve.txt 5 1 x true"]
    ),
    (
      "for (const make of [() => new Blob('text'), () => new Blob(5), () => new Blob([], { endings: 'x' }), () => new File([]), () => Blob(), () => new Blob([Symbol('s')]), () => Blob.prototype.size]) try { make(); console.log('made'); } catch (e) { console.log(e.name) }",
      Array(repeating: "TypeError", count: 7)
    ),
    // Clones.
    (
      "const b = new Blob(['ab'], { type: 'a/b' }), f = new File(['x'], 'n', { lastModified: 5 }); const [c, g, same] = structuredClone([b, f, b]); console.log(c !== b, c === same, c instanceof File, c, await c.text(), g, await g.text())",
      ["true true false Blob { size: 2, type: 'a/b' } ab File { size: 1, type: '', name: 'n', lastModified: 5 } x"]
    ),
    // What scripts have put in the place of others' members is not asked.
    (
      "TextEncoder.prototype.encode = TextDecoder.prototype.decode = () => { throw 1 }; globalThis.TextDecoder = undefined; const b = new Blob(['ab']); console.log(b.size, await b.text(), (await ReadableStream.from(['c']).pipeThrough(new TextEncoderStream()).getReader().read()).value)",
      ["2 ab Uint8Array(1) [ 99 ]"]
    ),
    (
      "await Blob.prototype.text.call({}).catch((e) => console.log(e.name)); console.log(Object.prototype.toString.call(new File([], 'n')))",
      ["TypeError", "[object File]"]
    ),
  ])
  func asTheWebHasThem(body: String, expected: [String]) async throws {
    let text =
      "const textOf = (stream) => { return Array.fromAsync(stream.pipeThrough(new TextDecoderStream())).then((all) => all.join('')); };"
    #expect(try await ModuleBridge.lines(of: text + body) == expected)
  }
}
