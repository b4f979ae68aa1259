import { expect, onTestFinished, test } from 'vitest';
import { writeFirstOwner } from '../src/first-start.ts';
import { loadConfig } from '../src/platform/config/config.ts';
import { createLogger } from '../src/platform/logging.ts';
import { openTestStore } from './support/store.ts';

const KEYS = `k1:${Buffer.alloc(32).toString('base64')}`;

const ON_POSTGRESQL = {
  DATABASE_URL: 'postgresql://gatehouse@db/gatehouse',
  GATEHOUSE_ENCRYPTION_KEYS: KEYS,
};
const FOR_OTHER_MACHINES = {
  GATEHOUSE_HOST: '0.0.0.0',
  GATEHOUSE_PUBLIC_URL: 'https://gatehouse.example.com',
};

async function start(environment: Readonly<Record<string, string>>) {
  const store = await openTestStore();
  onTestFinished(() => store.close());
  const lines: string[] = [];
  const log = createLogger('info', { write: (line) => void lines.push(line) });
  const again = () => writeFirstOwner(store, loadConfig(environment), log);
  await again();
  return { store, lines, again };
}

test.each([
  ['with PostgreSQL', ON_POSTGRESQL],
  ['for other machines', FOR_OTHER_MACHINES],
])('a first start %s makes no secret and says once what to do', async (_, environment) => {
  const { store, lines, again } = await start(environment);
  await again();
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    {
      level: 'warn',
      msg: 'the owner has no token yet: run gatehouse sign-in-link or gatehouse token create',
    },
  ]);
  expect(await store.db.user.findMany({ select: { role: true } })).toEqual([{ role: 'owner' }]);
  expect(await store.db.token.count()).toBe(0);
  expect(await store.db.signInLink.count()).toBe(0);
});

test('a first start with a given token stores it and says nothing', async () => {
  const GATEHOUSE_BOOTSTRAP_TOKEN = 't'.repeat(40);
  const { store, lines } = await start({ ...ON_POSTGRESQL, GATEHOUSE_BOOTSTRAP_TOKEN });
  expect(lines).toEqual([]);
  expect(await store.db.token.count()).toBe(1);
  expect(await store.db.signInLink.count()).toBe(0);
});
