import { setTimeout as delay } from 'node:timers/promises';

/** A call that is repeated; throws when it failed. */
export type SteadyCall = (origin: string) => Promise<void>;

/** Calls that go on, at an even rate, to whichever nodes are in use. */
export interface SteadyCalls {
  /** How many were made. */
  readonly made: number;
  readonly failures: readonly string[];
  /** Resolves when the node has no call in hand; as a balancer does before a node is stopped. */
  takeOut(origin: string): Promise<void>;
  putIn(origin: string): void;
  stop(): Promise<void>;
}

/** @param rate calls in a second */
export function startSteadyCalls(
  rate: number,
  origins: readonly string[],
  calls: readonly SteadyCall[],
): SteadyCalls {
  const nodes = new Set(origins);
  const inHand = new Map<string, Set<Promise<void>>>();
  const failures: string[] = [];
  let made = 0;
  let isStopped = false;

  const callOnce = (): void => {
    const [call, origin] = [calls[made % calls.length], [...nodes][made % nodes.size]];
    // No node is in use.
    if (call === undefined || origin === undefined) return;
    made += 1;
    const running = inHand.get(origin) ?? new Set();
    inHand.set(origin, running);
    const done: Promise<void> = call(origin)
      .catch((error: unknown) => {
        failures.push(`${new Date().toISOString()} ${origin} ${String(error)}`);
      })
      .finally(() => running.delete(done));
    running.add(done);
  };
  const run = async (): Promise<void> => {
    const begun = performance.now();
    for (let due = 0; !isStopped; due += 1_000 / rate) {
      await delay(Math.max(0, begun + due - performance.now()));
      callOnce();
    }
  };
  const settle = (origin: string) => Promise.all(inHand.get(origin) ?? []);
  const running = run();
  return {
    get made() {
      return made;
    },
    failures,
    async takeOut(origin) {
      nodes.delete(origin);
      await settle(origin);
    },
    putIn: (origin) => void nodes.add(origin),
    async stop() {
      isStopped = true;
      await running;
      await Promise.all([...inHand.keys()].map(settle));
    },
  };
}
