// Where in a module's text something is that the engine has found in what the loader has made of it: the lines are the same, columns are not.

/**
 * Of a module: how much stands before its text, on its first line, and what was edited, in order.
 * @typedef {{head: number, text: string, edits: Edit[], lineStarts: number[] | undefined}} EditedText
 */

/** By their names in stacks. @type {Map<string, EditedText>} */
const editedTexts = new Map();

/** @param {string} name @param {number} head @param {string} text @param {Edit[]} edits */
function noteEdits(name, head, text, edits) { editedTexts.set(name, { head, text, edits, lineStarts: undefined }); }

/** @param {string} text @returns {number[]} where each line starts */
function lineStartsOf(text) {
  const starts = [0];
  for (const { index = 0, 0: end } of text.matchAll(/\r\n|[\n\r\u2028\u2029]/g)) starts.push(index + end.length);
  return starts;
}

/**
 * The same stack with the columns in the texts of modules.
 * @param {string} stack @param {any} [error] that has it
 */
function uneditedStack(stack, error) {
  if (editedTexts.size === 0 || placedErrors.has(error)) return stack;
  return stack.split('\n').map((frame) => {
    const parts = /^([^@]*@)?(.*):(\d+):(\d+)$/s.exec(frame);
    if (parts === null) return frame;
    const [, callee = '', name, line, column] = parts;
    const edited = editedTexts.get(name);
    return edited === undefined ? frame : `${callee}${name}:${line}:${textColumn(edited, Number(line), Number(column))}`;
  }).join('\n');
}

/** @param {EditedText} edited @param {number} line @param {number} column both from 1 @returns {number} */
function textColumn(edited, line, column) {
  const { text, edits } = edited, starts = edited.lineStarts ??= lineStartsOf(text);
  const start = starts[line - 1];
  if (start === undefined) return column;
  const end = starts[line] ?? text.length + 1;
  const at = Math.min(offsetInLine(edits, start, end, column - 1 - (line === 1 ? edited.head : 0)), end - 1);
  return at - start + 1;
}

/**
 * @param {Edit[]} edits @param {number} start of the line in the text @param {number} end
 * @param {number} left units of the edited line before the place @returns {number} the offset in the text
 */
function offsetInLine(edits, start, end, left) {
  let position = start;
  for (const [from, to, replacement] of edits) {
    // What an edit that spans lines leaves is the same lines.
    if (to < start || (to === start && from < start)) continue;
    if (from >= end) break;
    left -= Math.max(from - position, 0);
    if (left < 0) return Math.max(from + left, start);
    left -= lengthOnLine(replacement, from < start, to >= end);
    if (left < 0) return Math.max(from, start);
    position = to;
  }
  return position + Math.max(left, 0);
}

/** @param {string} replacement @param {boolean} beganBefore the line @param {boolean} goesOn behind it */
function lengthOnLine(replacement, beganBefore, goesOn) {
  if (beganBefore && goesOn) return 0;
  const lines = replacement.split(/\r\n|[\n\r\u2028\u2029]/);
  return (beganBefore ? lines[lines.length - 1] : lines[0]).length;
}
