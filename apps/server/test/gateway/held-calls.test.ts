import { expect, onTestFinished, test } from 'vitest';
import type { HeldCall } from '../../src/gateway/held-calls.ts';
import { OpenCalls } from '../../src/gateway/open-calls.ts';
import { ProblemError } from '../../src/platform/problem-error.ts';
import { ControlledChanges } from '../platform/changes/controlled-changes.ts';

const CHANGE = [{ kind: 'token', id: 'one' }] as const;
const OTHER = [{ kind: 'token', id: 'another-one' }] as const;

function start() {
  const changes = new ControlledChanges();
  const errors: unknown[] = [];
  const openCalls = new OpenCalls({
    changes,
    reauthorize: async () => {},
    callDeadline: 60_000,
    onError: (error) => errors.push(error),
  });
  onTestFinished(() => openCalls.close(0));
  const done: string[] = [];
  let outcome: Error | undefined;
  let listIndex = -1;
  const call: HeldCall = {
    rows: () => ['token:one'],
    async reauthorize() {
      done.push('checked');
      if (outcome !== undefined) throw outcome;
    },
    keepAlive: () => {},
    get listIndex() {
      return listIndex;
    },
    listedAt: (index) => {
      listIndex = index;
    },
    cut: ({ code }) => void done.push(code),
  };
  const fail = (error: Error | undefined) => {
    outcome = error;
  };
  return { changes, errors, openCalls, done, call, fail };
}

test('a held call is checked when one of its rows changes, and cut if it is not allowed', async () => {
  const { changes, openCalls, done, call, fail } = start();
  openCalls.hold(call);
  changes.tell(OTHER);
  expect(done).toEqual([]);
  changes.tell(CHANGE);
  await expect.poll(() => done).toEqual(['checked']);
  fail(new ProblemError('forbidden', 'No.'));
  changes.tell('everything');
  await expect.poll(() => done).toEqual(['checked', 'checked', 'forbidden']);
});

test('a held call that could not be checked is checked again, not cut', async () => {
  const { changes, errors, openCalls, done, call, fail } = start();
  openCalls.hold(call);
  fail(new ProblemError('database_unavailable', 'Away.'));
  changes.tell(CHANGE);
  await expect.poll(() => errors.length).toBe(1);
  fail(undefined);
  await expect.poll(() => done).toEqual(['checked', 'checked']);
});

test('a held call is checked again and again while changes may be missed', async () => {
  const { changes, openCalls, done, call } = start();
  openCalls.hold(call);
  changes.fresh = false;
  await expect.poll(() => done.length).toBeGreaterThan(1);
});

test('a held call is checked at once if something has changed since its last request', async () => {
  const { changes, openCalls, done, call } = start();
  openCalls.hold(call);
  const before = performance.now();
  changes.tell(OTHER);
  openCalls.reauthorizeHeldIfChanged(call, performance.now() + 1);
  expect(done).toEqual([]);
  openCalls.reauthorizeHeldIfChanged(call, before);
  await expect.poll(() => done).toEqual(['checked']);
});

test('closing waits until a held call is released', async () => {
  const { openCalls, done, call } = start();
  openCalls.hold(call);
  const closing = openCalls.close(60_000).then(() => done.push('closed'));
  await new Promise(setImmediate);
  expect(done).toEqual([]);
  openCalls.release(call);
  await closing;
  expect(done).toEqual(['closed']);
});

test('closing cuts a held call after its deadline', async () => {
  const { openCalls, done, call } = start();
  openCalls.hold(call);
  await openCalls.close(10);
  expect(done).toEqual(['overloaded']);
});
