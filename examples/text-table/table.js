// Asks for the statistics of all files at once: the calls go over in one batch, the answers come back together.
const { Texts } = NativeModules;

async function main() {
  /** @type {Record<string, object>} */
  const rows = {};
  const statistics = await Promise.all(Texts.paths.map(path => Texts.statistics(path)));
  for (const { name, lines, words, bytes, longestWord } of statistics) rows[name] = { lines, words, bytes, longestWord };
  console.table(rows);

  const total = statistics.reduce((sum, { words }) => sum + words, 0);
  console.log('%d words in %d files, longest first: %s', total, statistics.length,
    statistics.sort((a, b) => b.words - a.words).slice(0, 3).map(({ name }) => name).join(', '));
}

main();
