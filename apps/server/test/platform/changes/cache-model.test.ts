import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Change } from '../../../src/platform/changes/changes.ts';
import { createCache } from '../../../src/platform/changes/create-cache.ts';
import { ControlledChanges } from './controlled-changes.ts';

const ROWS = 2;
const changeOf = (row: number): Change => ({ kind: 'integration', id: String(row) });

/** One get under way: the versions of its rows that were known everywhere when it was asked. */
interface Pending {
  readonly answer: Promise<readonly number[]>;
  readonly atLeast: readonly number[];
}

/**
 * A database of versioned rows behind a cache. A write bumps a row at once, while its announcement is
 * heard later, or never if the lease is lost first; then the lease is regained with `everything`.
 */
class Model {
  readonly changes = new ControlledChanges();
  readonly cache = createCache<readonly number[]>({ changes: this.changes, maxEntries: 2 });
  readonly versions = new Array<number>(ROWS).fill(0);
  /** What this node must know of: announced, or written before the lease was lost or regained. */
  readonly known = new Array<number>(ROWS).fill(0);
  readonly unheard: number[] = [];
  readonly loads: (() => void)[] = [];
  readonly pending: Pending[] = [];

  write(row: number): void {
    this.versions[row] = (this.versions[row] ?? 0) + 1;
    if (this.changes.fresh) this.unheard.push(row);
    else this.known[row] = this.versions[row] ?? 0;
  }

  hear(): void {
    const row = this.unheard.shift();
    if (row === undefined) return;
    this.known[row] = Math.max(this.known[row] ?? 0, this.#heardVersion(row));
    this.changes.tell([changeOf(row)]);
  }

  loseLease(): void {
    this.changes.fresh = false;
    this.unheard.length = 0;
    this.versions.forEach((version, row) => {
      this.known[row] = version;
    });
  }

  regainLease(): void {
    if (this.changes.fresh) return;
    this.changes.tell('everything');
    this.changes.fresh = true;
  }

  /** The rows are read when the load is let go on, which may be long after it began. */
  get(rows: readonly number[], readsAtOnce: boolean): void {
    const atLeast = rows.map((row) => this.known[row] ?? 0);
    const load = async () => {
      const early = rows.map((row) => this.versions[row] ?? 0);
      await new Promise<void>((resolve) => this.loads.push(resolve));
      const value = readsAtOnce ? early : rows.map((row) => this.versions[row] ?? 0);
      return { value, dependsOn: rows.map(changeOf) };
    };
    this.pending.push({ answer: this.cache.get(rows.join(), load), atLeast });
  }

  peek(rows: readonly number[]): void {
    const held = this.cache.peek(rows.join());
    if (held === undefined) return;
    expect(this.changes.fresh).toBe(true);
    expectAtLeast(
      held,
      rows.map((row) => this.known[row] ?? 0),
    );
  }

  async finish(index: number): Promise<void> {
    const [finish] = this.loads.splice(index % Math.max(1, this.loads.length), 1);
    finish?.();
    await settle();
  }

  async finishAll(): Promise<void> {
    while (this.loads.length > 0) await this.finish(0);
    for (const { answer, atLeast } of this.pending) expectAtLeast(await answer, atLeast);
  }

  /** Announcements come in order: all writes of the row but the ones still unheard. */
  #heardVersion(row: number): number {
    const unheard = this.unheard.filter((other) => other === row).length;
    return (this.versions[row] ?? 0) - unheard;
  }
}

function expectAtLeast(actual: readonly number[], expected: readonly number[]): void {
  const isStale = expected.some((version, index) => (actual[index] ?? 0) < version);
  expect(isStale, `answered ${actual.join()} after ${expected.join()} was known`).toBe(false);
}

async function settle(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

const row = fc.nat({ max: ROWS - 1 });
const rows = fc.constantFrom([0], [1], [0, 1]);
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('write' as const), row }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('hear' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('lose' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('regain' as const) }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('get' as const), rows, readsAtOnce: fc.boolean() }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('peek' as const), rows }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('finish' as const), index: fc.nat({ max: 3 }) }),
  },
);

test('no answer is older than what was known when it was asked for', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60 }), async (steps) => {
      const model = new Model();
      for (const next of steps) {
        if (next.do === 'write') model.write(next.row);
        if (next.do === 'hear') model.hear();
        if (next.do === 'lose') model.loseLease();
        if (next.do === 'regain') model.regainLease();
        if (next.do === 'get') model.get(next.rows, next.readsAtOnce);
        if (next.do === 'peek') model.peek(next.rows);
        if (next.do === 'finish') await model.finish(next.index);
        await Promise.resolve();
      }
      await model.finishAll();
    }),
    { numRuns: 500 },
  );
});
