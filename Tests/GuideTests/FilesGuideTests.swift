import Foundation
import Testing
import Trestle
import TrestleModules

/// What the article WorkingWithFiles shows.
@Suite struct FilesGuideTests {
  /// Runs the body of an asynchronous function that has `folder`.
  private func result(of body: String) async throws -> String {
    try await guideResult(of: body, .files) { folder in "const { Files } = NativeModules, folder = '\(folder)';" }
  }

  @Test func openFiles() async throws {
    let counts = try await result(
      of: """
        const path = `${folder}/count`;
        const increment = async () => {
          const file = await Files.open(path, { mode: 'readWrite' });
          await file.lock();
          const [count = 0] = await file.read(0, 1);
          await file.write(0, new Uint8Array([count + 1]));
          await file.sync();
          await file.close();
        };
        await Promise.all(Array.from({ length: 20 }, increment));
        return Files.readBytes(path);
        """)
    #expect(counts == "20")
  }

  @Test func patterns() async throws {
    let found = try await result(
      of: """
        await Files.makeDirectory(`${folder}/src/lib`);
        for (const name of ['src/a.js', 'src/lib/b.ts', 'src/lib/b.test.ts', 'src/c.md']) await Files.writeText(`${folder}/${name}`, 'text');
        const found = [];
        for await (const { path, size } of Files.glob(['src/**/*.{js,ts}'], { folder, ignore: ['**/*.test.*'] })) found.push(`${path} ${size}`);
        return found;
        """)
    #expect(found == "src/a.js 4,src/lib/b.ts 4")
  }

  @Test func watches() async throws {
    let seen = try await result(
      of: """
        const seen = [];
        const watching = (async () => {
          for await (const { kind, path, from } of Files.watch(folder, { recursive: true })) {
            seen.push(from === null ? `${kind} ${path}` : `${kind} ${from} ${path}`);
            if (kind === 'removed') break;
          }
        })();
        const wait = async (change) => { while (!seen.includes(change)) await new Promise(resolve => setTimeout(resolve, 5)); };
        await Files.makeDirectory(`${folder}/a`);
        await wait('created a');
        await Files.rename(`${folder}/a`, `${folder}/b`);
        await wait('renamed a b');
        await Files.remove(`${folder}/b`);
        await watching;
        return seen;
        """)
    #expect(seen == "created a,renamed a b,removed b")
  }
}
