import { setTimeout as delay } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { createCallLimits } from '../../src/limits/call-limits.ts';
import type { Store } from '../../src/platform/database/store.ts';
import { useStore } from '../support/store.ts';

/** Nodes on one PostgreSQL, for the tests of this file. */
export function useNodes() {
  const store = useStore();
  const opened: Promise<Store>[] = [];

  /** Their limits close with the test. */
  async function startNodes(count: number) {
    while (opened.length < count) opened.push(store.openAnotherNode());
    const stores = await Promise.all(opened.slice(0, count));
    const nodes = stores.map((own) => {
      const { counted, store: observed } = counting(own);
      return { counted, limits: createCallLimits({ store: observed, onError }) };
    });
    onTestFinished(async () => {
      await Promise.all(nodes.map(({ limits }) => limits.close()));
    });
    return nodes;
  }

  /** Until the minute of the database ends. */
  async function millisecondsLeft(): Promise<number> {
    const [row] = await store.db.$queryRaw<{ left: number }[]>`
      SELECT (60000 - 1000 * extract(second FROM clock_timestamp()))::float8 AS "left"`;
    return row?.left ?? 0;
  }

  return {
    store,
    startNodes,
    async startPair() {
      const [one, other] = await startNodes(2);
      if (one === undefined || other === undefined) throw new Error('There are two nodes.');
      return [one.limits, other.limits] as const;
    },
    millisecondsLeft,
    /** Waits for the next minute where this one ends too soon for a test. */
    async withinOneMinute() {
      const left = await millisecondsLeft();
      if (left < 10_000) await delay(left + 50);
    },
  };
}

/** A store, and how many statements were written by hand. */
function counting(store: Store) {
  const counted = { statements: 0 };
  const statement: Store['statement'] = (changes, make) => {
    counted.statements += 1;
    return store.statement(changes, make);
  };
  return { counted, store: { ...store, statement } };
}

function onError(error: unknown): never {
  throw error;
}
