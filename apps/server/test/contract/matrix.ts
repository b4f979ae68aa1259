/** What came of one case against one target. */
export type Cell = { readonly client: number; readonly raw: number } | 'failed' | 'cannot';

/** Results of cases by target, printed as a table. */
export interface Matrix {
  note(title: string, target: string, cell: Cell): void;
  print(write: (text: string) => void): void;
}

export function createMatrix(targets: readonly string[]): Matrix {
  const rows = new Map<string, Map<string, Cell>>();
  return {
    note(title, target, cell) {
      const row = rows.get(title) ?? new Map<string, Cell>();
      rows.set(title, row.set(target, cell));
    },
    print(write) {
      const width = Math.max(...[...rows.keys()].map(({ length }) => length));
      write(`\n${''.padEnd(width)}  ${targets.join('  ')}\n`);
      for (const [title, row] of rows) {
        const cells = targets.map((target) => textOf(row.get(target)).padEnd(target.length));
        write(`${title.padEnd(width)}  ${cells.join('  ')}\n`);
      }
      write('ok 3/5: three of five calls by the client; it cannot express the others.\n');
      write('by fetch: none of the calls can be expressed by the client.\n');
    },
  };
}

function textOf(cell: Cell | undefined): string {
  if (cell === undefined) return '?';
  if (cell === 'failed') return 'FAILED';
  if (cell === 'cannot') return 'cannot';
  if (cell.client === 0) return 'by fetch';
  return cell.raw === 0 ? 'ok' : `ok ${cell.client}/${cell.client + cell.raw}`;
}
