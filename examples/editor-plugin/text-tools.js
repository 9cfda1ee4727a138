#!/usr/bin/env -S trestle run
// A plugin of xiedit, in Xi's plugin protocol over standard input and output: counts words, sorts lines, and tells how often the
// word at the caret occurs.
const { Process } = NativeModules;

/** @typedef {{ rev: number, size: number, isShown: boolean, timer?: number }} View */
/** @type {Map<string, View>} */
const views = new Map();
/** @type {Map<number, (result: any) => void>} */
const requests = new Map();
let lastID = 0;
let pluginID = 0;

/** How long the text rests before its words are counted, in milliseconds. */
const REST = 200;
/** Longer texts are not looked through. */
const LARGEST = 16 << 20;
const PIECE = 1 << 20;

/** @param {object} message */
const send = message => Process.write(`${JSON.stringify(message)}\n`);

/** @param {string} method @param {string} view_id @param {object} params */
const tell = (method, view_id, params) => send({ method, params: { view_id, plugin_id: pluginID, ...params } });

/** @param {string} method @param {string} view_id @param {object} params @returns {Promise<any>} the answer; null for an error */
function ask(method, view_id, params) {
  const id = ++lastID;
  send({ id, method, params: { view_id, plugin_id: pluginID, ...params } });
  return new Promise(resolve => requests.set(id, resolve));
}

// Text. Offsets are UTF-8 bytes.

/** @param {string} text */
const byteLength = text => new TextEncoder().encode(text).length;

/**
 * A part of the text at a revision; null when that is gone, or when it holds bytes that are no text.
 * @param {string} view @param {number} rev @param {number} start @param {number} end
 */
async function read(view, rev, start, end) {
  let text = '';
  for (let offset = start; offset < end;) {
    const piece = await ask('get_data', view, { start: offset, unit: 'utf8', max_size: Math.min(end - offset, PIECE), rev });
    const length = piece === null ? 0 : byteLength(piece.chunk);
    if (length === 0 || offset + length > end) return null;
    text += piece.chunk;
    offset += length;
  }
  return text;
}

/** @param {string} view @param {number} rev @param {number} offset */
const placeOf = (view, rev, offset) => ask('get_data', view, { start: offset, unit: 'utf8', max_size: 0, rev });

/** @param {string} view */
async function textOf(view) {
  const { rev, size } = views.get(view) ?? { rev: 0, size: Infinity };
  return size > LARGEST ? null : read(view, rev, 0, size);
}

// The status line

/** @param {string} view */
async function countWords(view) {
  const text = await textOf(view);
  const shown = views.get(view);
  if (text === null || !shown) return;
  const value = `${text.match(/\S+/g)?.length ?? 0} words`;
  tell(shown.isShown ? 'update_status_item' : 'add_status_item', view, { key: 'words', value, alignment: 'right' });
  shown.isShown = true;
}

/** @param {string} id @param {number} rev @param {number} size */
function changed(id, rev, size) {
  const view = views.get(id) ?? { rev, size, isShown: false };
  views.set(id, Object.assign(view, { rev, size }));
  clearTimeout(view.timer);
  view.timer = setTimeout(() => countWords(id), REST);
}

// Commands

/** @type {Record<string, (a: string, b: string) => number>} */
const orders = {
  letters: (a, b) => (a < b ? -1 : a > b ? 1 : 0),
  numbers: (a, b) => (parseFloat(a) || 0) - (parseFloat(b) || 0),
  backwards: (a, b) => orders.letters(b, a),
};

/** @param {string} view @param {{ order: string, unique: boolean }} how */
async function sort(view, { order, unique }) {
  const answer = await ask('get_selections', view, {});
  const size = views.get(view)?.size ?? 0;
  if (answer === null) return;
  const { rev, selections } = answer;
  /** @type {[number, number]} */
  let [start, end] = [Math.min(...selections.flat()), Math.max(...selections.flat())];
  if (start === end) [start, end] = [0, size];
  const [first, last] = [await placeOf(view, rev, start), await placeOf(view, rev, end)];
  if (!first || !last) return;
  start -= first.first_line_offset;
  // The line of the end is meant too, unless the selection only touches its start.
  if (last.first_line_offset > 0) {
    const next = await ask('get_data', view, { start: last.first_line + 1, unit: 'line', max_size: 0, rev });
    end = next ? next.offset : size;
  }
  const text = await read(view, rev, start, end);
  if (text === null) return send({ method: 'alert', params: { msg: 'These lines cannot be sorted' } });
  const isWhole = text.endsWith('\n');
  let lines = (isWhole ? text.slice(0, -1) : text).split('\n').sort(orders[order]);
  if (unique) lines = lines.filter((line, index) => line !== lines[index - 1]);
  const sorted = lines.join('\n') + (isWhole ? '\n' : '');
  if (sorted === text) return;
  const els = [{ copy: [0, start] }, { insert: sorted }, { copy: [end, size] }];
  tell('edit', view, { edit: { rev, delta: { base_len: size, els }, priority: 1, after_cursor: false, author: 'text-tools' } });
}

/** @param {string} view @param {number} request_id @param {number} position */
async function hover(view, request_id, position) {
  const text = await textOf(view);
  if (text === null) return;
  const bytes = new TextEncoder().encode(text);
  const [before, after] = [bytes.subarray(0, position), bytes.subarray(position)].map(part => new TextDecoder().decode(part));
  const word = (/[\p{L}\p{N}_]*$/u.exec(before)?.[0] ?? '') + (/^[\p{L}\p{N}_]*/u.exec(after)?.[0] ?? '');
  const count = word ? [...text.matchAll(/[\p{L}\p{N}_]+/gu)].filter(match => match[0] === word).length : 0;
  const content = word ? `"${word}" occurs ${count === 1 ? 'once' : `${count} times`}` : 'No word stands here';
  tell('show_hover', view, { request_id, result: { Ok: { content } } });
}

// Messages

/** @param {any} params */
function open({ buffer_info }) {
  for (const { views: [view], rev, buf_size } of buffer_info) changed(view, rev, buf_size);
}

/** @type {Record<string, (params: any) => unknown>} */
const notifications = {
  initialize: params => {
    pluginID = params.plugin_id;
    open(params);
  },
  new_buffer: open,
  did_close: ({ view_id }) => {
    clearTimeout(views.get(view_id)?.timer);
    views.delete(view_id);
  },
  get_hover: ({ view_id, request_id, position }) => hover(view_id, request_id, position),
  custom_command: ({ view_id, method, params }) => (method === 'sort' ? sort(view_id, params) : undefined),
  shutdown: () => Process.exit(0),
};

async function main() {
  for await (const line of Process.lines()) {
    const { id, method, params, result = null } = JSON.parse(line);
    if (method === 'update') {
      changed(params.view_id, params.rev, params.new_len);
      send({ id, result: 0 });
    } else if (method) {
      notifications[method]?.(params);
    } else {
      requests.get(id)?.(result);
      requests.delete(id);
    }
  }
  Process.exit(0);
}

main();
