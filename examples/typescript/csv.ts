export type Row = Record<string, string>;

/** Rows by the names in the first line; a field in quotes may hold commas. */
export function parse(text: string): Row[] {
  const [names = [], ...lines] = text.trim().split('\n').map(fields);
  return lines.map((values, index) => {
    if (values.length !== names.length) throw new RangeError(`line ${index + 2} has ${values.length} fields`);
    return Object.fromEntries(names.map((name, column) => [name, values[column] ?? '']));
  });
}

function fields(line: string): string[] {
  return [...line.matchAll(/(?:^|,)(?:"([^"]*)"|([^,]*))/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
}
