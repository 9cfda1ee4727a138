// The text of a module with edits, as the engine gets it; and the way back, for the places that the engine tells.

/** @typedef {[number, number, string]} Edit the start and the end of a text, and what stands there instead */

/** @param {string} text @returns {number[]} where its lines start */
function lineStartsOf(text) {
  const starts = [0];
  for (const { index = 0, 0: end } of text.matchAll(/\r\n|[\n\r\u2028\u2029]/g)) starts.push(index + end.length);
  return starts;
}

/** @param {number[]} starts of lines @param {number} offset @returns {{line: number, column: number}} both from 1 */
function placeAt(starts, offset) {
  let line = 1, end = starts.length;
  while (line < end) {
    const middle = (line + end) >> 1;
    if (starts[middle] <= offset) line = middle + 1; else end = middle;
  }
  return { line, column: offset - starts[line - 1] + 1 };
}

/** @param {string} text @param {Edit[]} edits in their order @param {number} start @param {number} end of the part that is wanted */
function editedPart(text, edits, start, end) {
  const pieces = [];
  let position = start;
  for (const [from, to, replacement] of edits) {
    pieces.push(text.slice(position, from), replacement);
    position = to;
  }
  pieces.push(text.slice(position, end));
  return pieces.join('');
}

/** @param {Edit[]} edits none of which overlap */
function sortEdits(edits) { return edits.sort((a, b) => a[0] - b[0] || a[1] - b[1]); }

/** @param {string} text @param {Edit[]} edits none of which overlap */
function editedText(text, edits) {
  const edited = editedPart(text, sortEdits(edits), 0, text.length);
  // The first line of a program is no JavaScript.
  return edited.startsWith('#!') ? '//' + edited : edited;
}

/** What the engine compiles in place of a module's text. */
class EditedSource {
  #text;
  #edits;
  #head;
  /**
   * Where lines start in the code and in the text, once that is asked.
   * @type {{code: number[], text: number[]} | undefined}
   */
  #lines;

  /** @param {string} text @param {Edit[]} edits @param {string} head what stands before it */
  constructor(text, edits, head) {
    this.#text = text;
    this.#head = head;
    // The first line of a program is no JavaScript.
    if (text.startsWith('#!')) edits.push([0, 2, '//']);
    this.#edits = sortEdits(edits);
  }

  code() { return `${this.#head}${editedPart(this.#text, this.#edits, 0, this.#text.length)}\n})`; }

  /** @param {number} line @param {number} column of the code, both from 1 @returns {{line: number, column: number}} of the text */
  placeOf(line, column) {
    const lines = this.#lines ??= { code: lineStartsOf(this.code()), text: lineStartsOf(this.#text) };
    const start = lines.code[line - 1];
    if (start === undefined) return { line, column };
    return placeAt(lines.text, Math.min(this.#offsetOf(start + column - 1 - this.#head.length), this.#text.length));
  }

  /** @param {number} at in the code, behind its head @returns {number} in the text: of what was put in, where that stands */
  #offsetOf(at) {
    let shift = 0;
    for (const [start, end, replacement] of this.#edits) {
      if (at < start + shift) break;
      if (at < start + shift + replacement.length) return start;
      shift += replacement.length - (end - start);
    }
    return Math.max(at - shift, 0);
  }
}

/** Those that were compiled, by their names in stacks. @type {Map<string, EditedSource>} */
const editedSources = new Map();

/**
 * The same stack with the places in the texts of modules in place of those in what was compiled.
 * @param {string} stack @param {any} [error] that has it
 */
function sourceStack(stack, error) {
  return editedSources.size === 0 || placedErrors.has(error) ? stack : stack.split('\n').map(sourceFrame).join('\n');
}

/** @param {string} frame `function@name:line:column` */
function sourceFrame(frame) {
  const second = frame.lastIndexOf(':'), first = frame.lastIndexOf(':', second - 1);
  const start = frame.slice(0, Math.max(first, 0)), source = editedSources.get(start.slice(start.indexOf('@') + 1));
  const line = Number(frame.slice(first + 1, second)), column = Number(frame.slice(second + 1));
  if (source === undefined || !(line >= 1 && column >= 1)) return frame;
  const place = source.placeOf(line, column);
  return `${start}:${place.line}:${place.column}`;
}

/**
 * The engine's words for what a module reads of its imports, and how the module itself says it. A script may make the message: the time grows
 * with its length alone.
 */
const ownNames = /\(0,\$+trestle_i\.([^()]*)\)|(?<!\$)\$+trestle_i\.|(?<!\$)\$+trestle_(arguments|import|meta|default)\b/g;

/** @param {string} message of an error */
function sourceMessage(message) {
  return message.includes('$trestle_')
    ? message.replace(ownNames, (_, called, own) => called ?? (own === 'meta' ? 'import.meta' : own ?? '')) : message;
}

/**
 * Compiles what is one function.
 * @param {EditedSource} source @param {string} text that it was made of @param {string} name of the module in stacks @returns {Function} of the script's realm
 */
function compileFunction(source, text, name) {
  const code = source.code();
  /** @type {any} */
  let made;
  try { made = native.compileModule(code, name); } catch (error) { throw placedIn(source, clean(error), name); }
  // Text that ends the function around it makes another one, or something else.
  if (typeof made !== 'function' || border.textOf(made) !== code.slice(1, -1)) {
    parseSource(text, name, 'script');
    throw syntaxErrorAt('the text ends the function that is put around it', name, 1, 1);
  }
  editedSources.set(name, source);
  return made;
}

/**
 * An error of what only the engine knows to be wrong, such as a regular expression.
 * @param {EditedSource} source @param {any} error @param {string} name of the module in stacks
 */
function placedIn(source, error, name) {
  if (!isError(error) || !(error.line >= 1)) return error;
  // It tells the line alone.
  return placeError(error, name, source.placeOf(error.line, 1).line, 0);
}
