import { columnsOf, type Column } from './columns';
import { parse, type Row } from './csv.js';

enum Align { Left, Right }

/** One line of the table: each value as wide as its column. */
function line(columns: Column[], values: (column: Column) => string): string {
  return columns
    .map((column) => {
      const align = column.isNumeric ? Align.Right : Align.Left;
      const value = values(column);
      return align === Align.Right ? value.padStart(column.width) : value.padEnd(column.width);
    })
    .join('  ')
    .trimEnd();
}

const { Files } = NativeModules;
const rows: Row[] = parse(await Files.readText(`${import.meta.dirname}/rivers.csv`));
const columns = columnsOf(rows);

console.log(line(columns, ({ name }) => name));
console.log(line(columns, ({ width }) => '─'.repeat(width)));
for (const row of rows) console.log(line(columns, ({ name }) => row[name] ?? ''));

const lengths = rows.map((row) => Number(row['km']));
console.log(`${rows.length} rivers, ${lengths.reduce((sum, length) => sum + length, 0)} km`);
