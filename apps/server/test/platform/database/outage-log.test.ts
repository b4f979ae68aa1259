import { expect, it, onTestFinished, vi } from 'vitest';
import { databaseUnavailable } from '../../../src/platform/database/database-failure.ts';
import { OutageLog } from '../../../src/platform/database/outage-log.ts';
import type { Store } from '../../../src/platform/database/store.ts';
import { createLogger } from '../../../src/platform/logging.ts';
import { useStore } from '../../support/store.ts';

const refused = () => Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
const tooSlow = () => databaseUnavailable(Object.assign(new Error('slow'), { code: '55P03' }));

const real = useStore();

/** A PostgreSQL that `answer` stands for. */
function watch(answer: () => Promise<readonly unknown[]>, isFresh = true) {
  const lines: Record<string, unknown>[] = [];
  const outages = new OutageLog();
  const log = createLogger(
    'info',
    { write: (line) => void lines.push(JSON.parse(line)) },
    (error) => outages.covers(error),
  );
  const changes: Store['changes'] = { ...real.changes, isFresh: () => isFresh, subscribe: vi.fn() };
  outages.watch({ ...real, kind: 'postgresql', changes, statement: answer }, log);
  onTestFinished(() => outages.close());
  const fail = (err: unknown) => log.error({ err }, 'background write failed');
  return { lines, outages, fail, messages: () => lines.map(({ msg }) => msg) };
}

it('has one line for all that fails, and one when the database answers again', async () => {
  let isAway = true;
  const { lines, fail, messages } = watch(async () => {
    if (isAway) throw databaseUnavailable(refused());
    return [{ isWritable: true }];
  });
  for (let count = 0; count < 3; count += 1) fail(databaseUnavailable(refused()));
  await vi.waitFor(() => expect(messages()).toEqual(['the database is away']));
  expect(lines).toMatchObject([{ code: 'ECONNREFUSED', reason: 'the connection is refused' }]);
  isAway = false;
  await vi.waitFor(() => expect(messages()).toHaveLength(2), { timeout: 10_000 });
  expect(lines[1]).toMatchObject({ msg: 'the database is back', leftOut: 2 });
});

it('notices a database that takes no writes, although nothing has failed', async () => {
  const { lines } = watch(async () => [{ isWritable: false }], false);
  await vi.waitFor(() => expect(lines).toHaveLength(1), { timeout: 10_000 });
  expect(lines).toMatchObject([{ code: '25006', reason: 'it takes no writes' }]);
});

it('leaves the lines of other errors as they are', async () => {
  const { fail, messages, outages } = watch(async () => [{ isWritable: true }]);
  // A provider that refuses, and a statement that waited for another.
  fail(refused());
  fail(tooSlow());
  expect(messages()).toEqual(['background write failed', 'background write failed']);
  outages.close();
  fail(databaseUnavailable(refused()));
  expect(messages()).toHaveLength(3);
});
