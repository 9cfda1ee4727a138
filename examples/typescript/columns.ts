import type { Row } from './csv.js';

export interface Column {
  readonly name: string;
  readonly width: number;
  readonly isNumeric: boolean;
}

export function columnsOf(rows: Row[]): Column[] {
  return Object.keys(rows[0] ?? {}).map((name) => {
    const values = rows.map((row) => row[name] ?? '');
    return {
      name,
      width: Math.max(name.length, ...values.map((value) => value.length)),
      isNumeric: values.every((value) => value !== '' && !Number.isNaN(Number(value))),
    };
  });
}
