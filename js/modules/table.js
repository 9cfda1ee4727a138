// `console.table`.

/** @param {any} rows @param {string[] | undefined} chosen @returns {string | undefined} undefined for what has no rows */
function tableText(rows, chosen) {
  if (typeof rows !== 'object' || rows === null) return undefined;
  const table = collectRows(rows, chosen);
  const heads = privateArray();
  append(heads, '(index)');
  for (let i = 0; i < table.columns.length; i++) append(heads, table.columns[i]);
  if (table.hasValues) append(heads, 'Values');
  const lines = privateArray();
  for (let i = 0; i < table.rows.length; i++) {
    const { index, cells, value } = table.rows[i];
    const line = privateArray();
    append(line, index);
    for (let k = 0; k < table.columns.length; k++) append(line, mapGet(cells, table.columns[k]) ?? '');
    if (table.hasValues) append(line, value);
    append(lines, line);
  }
  return drawTable(heads, lines);
}

/** @param {any} rows @param {string[] | undefined} chosen */
function collectRows(rows, chosen) {
  const table = { columns: privateArray(), rows: privateArray(), hasValues: false };
  const known = new MapConstructor();
  const addColumn = (/** @type {string} */ name) => {
    if (mapHas(known, name)) return;
    mapSet(known, name, true);
    append(table.columns, name);
  };
  if (isArray(chosen)) for (let i = 0; i < chosen.length; i++) addColumn(StringConstructor(chosen[i]));
  const addRow = (/** @type {any} */ index, /** @type {any} */ row) => {
    const cells = new MapConstructor();
    const isRow = typeof row === 'object' && row !== null;
    const keys = isRow ? objectKeys(row) : privateArray();
    for (let i = 0; i < keys.length; i++) {
      if (!isArray(chosen)) addColumn(keys[i]);
      mapSet(cells, keys[i], inspect(row[keys[i]], 1, privateArray(), 0));
    }
    if (!isRow) table.hasValues = true;
    append(table.rows, { index: typeof index === 'string' ? index : inspect(index, 0, privateArray()), cells, value: isRow ? '' : inspect(row, 0, privateArray(), 0) });
  };
  if (attempt(() => mapSize(rows)) !== undefined) mapForEach(rows, (/** @type {any} */ row, /** @type {any} */ key) => addRow(key, row));
  else if (attempt(() => setSize(rows)) !== undefined) {
    let index = 0;
    setForEach(rows, (/** @type {any} */ row) => addRow(StringConstructor(index++), row));
  } else {
    const keys = objectKeys(rows);
    for (let i = 0; i < keys.length; i++) addRow(keys[i], rows[keys[i]]);
  }
  return table;
}

/** @param {any[]} heads @param {any[][]} lines */
function drawTable(heads, lines) {
  const widths = privateArray();
  for (let k = 0; k < heads.length; k++) {
    widths[k] = cellWidth(heads[k]);
    for (let i = 0; i < lines.length; i++) widths[k] = max(widths[k], cellWidth(lines[i][k]));
  }
  const rule = (/** @type {string} */ left, /** @type {string} */ middle, /** @type {string} */ right) => {
    const parts = privateArray();
    for (let k = 0; k < widths.length; k++) append(parts, stringRepeat('─', widths[k] + 2));
    return left + joined(parts, middle) + right;
  };
  const row = (/** @type {any[]} */ cells) => {
    const parts = privateArray();
    for (let k = 0; k < widths.length; k++) append(parts, ` ${cells[k]}${stringRepeat(' ', widths[k] - cellWidth(cells[k]))} `);
    return '│' + joined(parts, '│') + '│';
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
