interface Statistics { name: string, lines: number, words: number, bytes: number, longestWord: string }

interface NativeModules {
  readonly Texts: {
    readonly paths: string[],
    statistics(path: string): Promise<Statistics>,
  };
}
