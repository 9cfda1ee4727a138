// `console.table`.

/** @param {any} rows @param {string[] | undefined} chosen @returns {string | undefined} undefined for what has no rows */
function tableText(rows, chosen) {
  if (typeof rows !== 'object' || rows === null) return undefined;
  const table = collectRows(rows, chosen);
  /** @type {any[]} */
  const heads = [];
  heads.push('(index)');
  for (let i = 0; i < table.columns.length; i++) heads.push(headText(table.columns[i]));
  if (table.hasValues) heads.push('Values');
  /** @type {any[]} */
  const lines = [];
  for (let i = 0; i < table.rows.length; i++) {
    const { index, cells, value } = table.rows[i];
    /** @type {any[]} */
    const line = [];
    line.push(index);
    for (let k = 0; k < table.columns.length; k++) line.push(cells.get(table.columns[k]) ?? '');
    if (table.hasValues) line.push(value);
    lines.push(line);
  }
  return drawTable(heads, lines);
}

/** @param {any} rows @param {string[] | undefined} chosen */
function collectRows(rows, chosen) {
  const table = { columns: /** @type {string[]} */ ([]), rows: /** @type {{index: string, cells: Map<string, string>, value: string}[]} */ ([]), hasValues: false };
  const known = new Map();
  const addColumn = (/** @type {string} */ name) => {
    if (known.has(name)) return;
    known.set(name, true);
    table.columns.push(name);
  };
  if (isArray(chosen)) for (let i = 0; i < chosen.length; i++) addColumn(String(chosen[i]));
  const addRow = (/** @type {any} */ index, /** @type {any} */ row) => {
    const cells = new Map();
    const isRow = typeof row === 'object' && row !== null;
    const keys = isRow ? Object.keys(row) : [];
    for (let i = 0; i < keys.length; i++) {
      if (!isArray(chosen)) addColumn(keys[i]);
      cells.set(keys[i], inspect(row[keys[i]], -1));
    }
    if (!isRow) table.hasValues = true;
    table.rows.push({ index: typeof index === 'string' ? headText(index) : inspect(index), cells, value: isRow ? '' : inspect(row, 0) });
  };
  if (attempt(() => mapSize(rows)) !== undefined) mapForEach(rows, (/** @type {any} */ row, /** @type {any} */ key) => addRow(key, row));
  else if (attempt(() => setSize(rows)) !== undefined) {
    let index = 0;
    setForEach(rows, (/** @type {any} */ row) => addRow(String(index++), row));
  } else {
    const keys = Object.keys(rows);
    for (let i = 0; i < keys.length; i++) addRow(keys[i], rows[keys[i]]);
  }
  return table;
}

/**
 * On one line.
 * @param {string} name
 */
function headText(name) { return visible(name.replace(/[\t\n]/g, (unit) => unit === '\t' ? '\\t' : '\\n')); }

/** @param {any[]} heads @param {any[][]} lines */
function drawTable(heads, lines) {
  /** @type {any[]} */
  const widths = [];
  for (let k = 0; k < heads.length; k++) {
    widths[k] = cellWidth(heads[k]);
    for (let i = 0; i < lines.length; i++) widths[k] = Math.max(widths[k], cellWidth(lines[i][k]));
  }
  const rule = (/** @type {string} */ left, /** @type {string} */ middle, /** @type {string} */ right) => {
    /** @type {any[]} */
    const parts = [];
    for (let k = 0; k < widths.length; k++) parts.push('─'.repeat(widths[k] + 2));
    return left + parts.join(middle) + right;
  };
  const row = (/** @type {any[]} */ cells) => {
    /** @type {any[]} */
    const parts = [];
    for (let k = 0; k < widths.length; k++) parts.push(` ${cells[k]}${' '.repeat(widths[k] - cellWidth(cells[k]))} `);
    return '│' + parts.join('│') + '│';
  };
  let text = rule('┌', '┬', '┐') + '\n' + row(heads) + '\n' + rule('├', '┼', '┤') + '\n';
  for (let i = 0; i < lines.length; i++) text += row(lines[i]) + '\n';
  return text + rule('└', '┴', '┘');
}

/**
 * In code points.
 * @param {string} text
 */
function cellWidth(text) {
  let width = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0xDC00 || unit > 0xDFFF) width++;
  }
  return width;
}

// @ts-expect-error The files are the body of one function.
return { inspect, inspectPrimitive, stackText, tableText, visible };
