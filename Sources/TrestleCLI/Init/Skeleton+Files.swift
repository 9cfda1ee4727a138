/// The files that are the same in every tool. Tests compile, check and run them.
extension Skeleton {
  static let program = #"""
    import Foundation
    import Trestle
    import TrestleModules

    /// Texts, for scripts.
    @NativeModule actor Texts {
      init() {}

      /// The number of words in a text.
      @Exported func wordCount(_ text: String) -> Int { text.split(whereSeparator: \.isWhitespace).count }
    }

    /// Prints what `main` of the script gives for the arguments; with `--types`, what the script is checked by.
    @main struct Program {
      static func main() async {
        do { try await run(Array(CommandLine.arguments.dropFirst())) } catch {
          FileHandle.standardError.write(Data("\(error)\n".utf8))
          exit(1)
        }
      }

      private static func run(_ arguments: [String]) async throws {
        var configuration = BridgeConfiguration()
        configuration.limits = ExecutionLimits(time: .seconds(10), residentMemory: 1 << 30)
        configuration.moduleLoader = FileModuleLoader(folder: ".")
        let bridge = try await Bridge(modules: .standard + .linked, configuration: configuration)
        if arguments == ["--types"] {
          print(try await bridge.typeDeclarations(of: ["Texts"]), terminator: "")
        } else {
          let script = try await bridge.importModule("./script.ts")
          print(try await script.call("main", arguments, as: String.self))
        }
        await bridge.close()
      }
    }

    """#

  static let script = """
    /// <reference path="./texts.d.ts" />

    /** What the tool prints: it calls this with its arguments. Tests bring a wordCount of their own. */
    export async function main(texts: string[], { wordCount }: Pick<Texts, 'wordCount'> = NativeModules.Texts) {
      const counts = await Promise.all(texts.map((text) => wordCount(text)));
      return texts.map((text, index) => `${counts[index]} words: ${text}`).join('\\n');
    }

    """

  static let test = """
    import { test, expect, fn } from 'trestle:test';
    import { main } from './script';

    test('counts the words of each text', async () => {
      const wordCount = fn((text: string) => Promise.resolve(text.length));
      expect(await main(['one', 'three'], { wordCount })).toBe('3 words: one\\n5 words: three');
      expect(wordCount).toHaveBeenCalledTimes(2);
    });

    test('prints nothing about nothing', async () => {
      expect(await main([], { wordCount: fn(() => Promise.resolve(0)) })).toBe('');
    });

    """

  static let types = """
    /**
     * Texts, for scripts.
     * @version c4d2852d4b78780f
     */
    interface Texts {
      /** The number of words in a text. */
      wordCount(text: string, callOptions?: CallOptions | AbortSignal): Promise<number>;
    }
    interface NativeModules { readonly Texts: Texts }

    """

  static let compilerOptions = """
    {
      "compilerOptions": {
        "strict": true,
        "noEmit": true,
        "target": "ES2022",
        "lib": ["ES2022"],
        "module": "ES2022",
        "moduleResolution": "node",
        "moduleDetection": "force",
        "types": []
      },
      "include": ["*.ts"]
    }

    """
}
