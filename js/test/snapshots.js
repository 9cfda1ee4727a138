// Snapshots: texts that a file beside the tests keeps, in Jest's form: exports[`name 1`] = `text`;

/** @type {Map<string, string> | undefined} */
let keptSnapshots;
/**
 * Those that a test has asked for.
 * @type {Set<string>}
 */
const askedSnapshots = new Set();
const snapshotCounts = { matched: 0, written: 0, updated: 0, obsolete: 0 };
let snapshotsHaveChanged = false;

/** @param {string} text */
function unescaped(text) { return text.replace(/\\([^])/g, '$1'); }

/** @param {string} text */
function escapedForFile(text) { return text.replace(/[\\`]|\$\{/g, '\\$&'); }

/** @param {string} text @param {number} start @returns {number} the place of the backtick behind a text that has no other unescaped */
function endOfQuotation(text, start) {
  let end = start;
  while (end < text.length && text[end] !== '`') end += text[end] === '\\' ? 2 : 1;
  return end;
}

/**
 * Piece by piece: a regular expression gives up on a text of a million characters.
 * @param {string} text @returns {Map<string, string>} by name
 */
function readSnapshots(text) {
  const found = new Map(), between = /(?:\s|\/\/.*)*/y;
  for (let at = 0;;) {
    between.lastIndex = at;
    between.test(text);
    const start = between.lastIndex;
    if (start === text.length) return found;
    const nameStart = start + 'exports[`'.length, nameEnd = endOfQuotation(text, nameStart);
    const valueStart = nameEnd + '`] = `'.length, valueEnd = endOfQuotation(text, valueStart);
    at = valueEnd + '`;'.length;
    if (!text.startsWith('exports[`', start) || !text.startsWith('`] = `', nameEnd) || !text.startsWith('`;', valueEnd)) {
      throw new ScriptError(`${native.snapshotPath} is no file of snapshots: nobody knows what line ${text.slice(0, start).split('\n').length} is`);
    }
    const value = unescaped(text.slice(valueStart, valueEnd));
    found.set(unescaped(text.slice(nameStart, nameEnd)), value.startsWith('\n') && value.endsWith('\n') && value.length > 1 ? value.slice(1, -1) : value);
  }
}

/** @returns {Map<string, string>} */
function snapshots() { return keptSnapshots ??= readSnapshots(native.readSnapshots() ?? ''); }

/**
 * Writes the file, if it is to change; called once all tests have run.
 * @param {boolean} areAllRun
 */
function endSnapshots(areAllRun) {
  if (askedSnapshots.size === 0 && !native.hasSnapshots) return snapshotCounts;
  const all = snapshots();
  const obsolete = areAllRun ? [...all.keys()].filter((name) => !askedSnapshots.has(name)) : [];
  snapshotCounts.obsolete = obsolete.length;
  if (native.updatesSnapshots && obsolete.length > 0) {
    for (const name of obsolete) all.delete(name);
    snapshotsHaveChanged = true;
  }
  if (!snapshotsHaveChanged) return snapshotCounts;
  const entries = [...all].sort(([one], [other]) => one < other ? -1 : 1).map(([name, text]) => {
    const shown = text.includes('\n') ? `\n${text}\n` : text;
    return `\nexports[\`${escapedForFile(name)}\`] = \`${escapedForFile(shown)}\`;\n`;
  });
  native.writeSnapshots(entries.length === 0 ? '' : `// Snapshots, written by trestle test\n${entries.join('')}`);
  return snapshotCounts;
}

/** @param {Subject} subject @param {string} value as text @param {string} hint */
function matchSnapshot(subject, value, hint) {
  if (subject.isNot) throw new ScriptTypeError('toMatchSnapshot: there is no .not of it');
  if (current === undefined) throw new ScriptError('toMatchSnapshot: it is asked for outside of a test');
  const start = hint === '' ? current.name : `${current.name}: ${hint}`;
  const number = (current.snapshots.get(start) ?? 0) + 1;
  current.snapshots.set(start, number);
  // Half a surrogate pair cannot be written, and would be another one when it is read.
  const name = `${start} ${number}`.toWellFormed(), text = value.toWellFormed(), all = snapshots(), kept = all.get(name);
  askedSnapshots.add(name);
  if (kept === text) {
    snapshotCounts.matched++;
    return;
  }
  if (kept === undefined && !native.writesSnapshots) throw assertionError(`there is no snapshot '${name}', and none is written where CI is set`, { expected: '', actual: text });
  if (kept !== undefined && !native.updatesSnapshots) throw assertionError(`the snapshot '${name}' is another; --update keeps the new one`, { expected: kept, actual: text });
  snapshotCounts[kept === undefined ? 'written' : 'updated']++;
  all.set(name, text);
  snapshotsHaveChanged = true;
}

/** @param {string} text as it is indented in a source */
function dedented(text) {
  const all = text.replace(/^\n/, '').replace(/\n[ \t]*$/, '').split('\n');
  const indents = all.filter((line) => line.trim() !== '').map((line) => (/^[ \t]*/.exec(line)?.[0] ?? '').length);
  const least = Math.min(...indents, Infinity);
  return all.map((line) => line.slice(Number.isFinite(least) ? least : 0)).join('\n');
}

matchers.set('toMatchSnapshot', (subject, ...values) => {
  const members = values.find((value) => isObject(value)), hint = values.find((value) => typeof value === 'string') ?? '';
  if (members !== undefined) judge(subject, valueMatchers.toMatchObject(subject.value, members));
  matchSnapshot(subject, pretty(members === undefined ? subject.value : { ...subject.value, ...members }), hint);
});
matchers.set('toThrowErrorMatchingSnapshot', (subject, hint = '') => {
  const found = thrownBy(subject.value, subject.promise === 'rejects');
  if (found === undefined) throw assertionError('expected the function to throw, and it did not');
  matchSnapshot(subject, pretty(found.thrown), hint);
});
matchers.set('toMatchInlineSnapshot', (subject, text) => {
  const actual = pretty(subject.value);
  if (typeof text !== 'string') throw assertionError('toMatchInlineSnapshot: give it the text, between backticks', { expected: '', actual });
  const isSame = equals(text.includes('\n') ? dedented(text) : text, actual);
  conclude(subject, isSame, () => `the inline snapshot is ${subject.isNot ? 'the same' : 'another'}`, { expected: dedented(text), actual });
});
