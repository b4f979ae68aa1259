import { operations } from './operations.ts';

/** How often each operation answered with each status. */
export interface Histogram {
  readonly requests: number;
  /** Of the inputs generated as valid, how many there were and how many got a 2xx. */
  readonly valid: { readonly sent: number; readonly succeeded: number };
  count(operation: string, status: number, isValid: boolean): void;
  occurrences(operation: string, status: number): number;
  toText(): string;
}

interface Row {
  sent: number;
  succeeded: number;
  readonly statuses: Map<number, number>;
}

export function createHistogram(): Histogram {
  const rows = new Map<string, Row>(
    operations.map(({ id }) => [id, { sent: 0, succeeded: 0, statuses: new Map() }]),
  );
  const sum = (of: (row: Row) => number) =>
    [...rows.values()].reduce((total, row) => total + of(row), 0);
  return {
    get requests() {
      return sum(({ statuses }) => [...statuses.values()].reduce((a, b) => a + b, 0));
    },
    get valid() {
      return { sent: sum((row) => row.sent), succeeded: sum((row) => row.succeeded) };
    },
    count(operation, status, isValid) {
      const row = rows.get(operation);
      if (!row) throw new Error(`There is no operation ${operation}.`);
      row.statuses.set(status, (row.statuses.get(status) ?? 0) + 1);
      if (!isValid) return;
      row.sent += 1;
      if (status < 300) row.succeeded += 1;
    },
    occurrences: (operation, status) => rows.get(operation)?.statuses.get(status) ?? 0,
    toText: () => tableOf(rows),
  };
}

function tableOf(rows: ReadonlyMap<string, Row>): string {
  const statuses = [...new Set([...rows.values()].flatMap((row) => [...row.statuses.keys()]))];
  statuses.sort((one, other) => one - other);
  const line = (cells: readonly (string | number)[], first: string) =>
    [first.padEnd(32), ...cells.map((cell) => String(cell).padStart(7))].join('');
  return [
    line([...statuses, 'valid', '2xx'], ''),
    ...[...rows].map(([id, row]) =>
      line(
        [...statuses.map((status) => row.statuses.get(status) ?? '·'), row.sent, percent(row)],
        id,
      ),
    ),
  ].join('\n');
}

function percent({ sent, succeeded }: Row): string {
  return sent === 0 ? '·' : `${Math.round((100 * succeeded) / sent)} %`;
}
