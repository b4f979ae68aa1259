import { randomBytes } from 'node:crypto';
import { Writable } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { bootstrap } from '../src/bootstrap.ts';
import { DatabaseStartError } from '../src/platform/database/start-error.ts';
import { runStartStep } from '../src/platform/database/start-step.ts';
import { createLogger } from '../src/platform/logging.ts';
import { createMetrics } from '../src/platform/metrics.ts';
import { createService, endStep } from '../src/service.ts';
import { defaultWindows } from '../src/sessions/windows.ts';
import { openTestStore } from './support/store.ts';

function startLog() {
  const lines: Record<string, unknown>[] = [];
  const destination = new Writable({
    write(chunk, _encoding, done) {
      lines.push(JSON.parse(String(chunk)));
      done();
    },
  });
  return { lines, log: createLogger('info', destination) };
}

async function start() {
  const store = await openTestStore();
  onTestFinished(() => store.close());
  const { lines, log } = startLog();
  const config = {
    publicUrl: 'http://127.0.0.1',
    allowedOrigins: [],
    trustedProxies: [],
    allowedNetworks: [],
    rateLimit: 0,
    metricsToken: undefined,
    encryptionKeys: [{ id: 'test', key: randomBytes(32) }],
    sessionWindows: defaultWindows,
    passwordSignIn: true,
    externalSignIn: undefined,
    version: '0.0.0-test',
    nodeId: undefined,
    keySource: 'environment' as const,
    auditCalls: 'behind' as const,
    auditLog: false,
    auditCallDays: 90,
    auditChangeDays: 365,
    usageDays: 400,
  };
  const create = () => createService(config, store, log, createMetrics());
  return { store, lines, create };
}

test('a service that closes says that everything was written', async () => {
  const { lines, create } = await start();
  const service = await create();
  expect(await service.close()).toBe(true);
  expect(lines).toMatchObject([{ level: 'info', msg: 'audit head' }]);
});

test('a service that closes says what was not written, and closes the rest', async () => {
  const { store, lines, create } = await start();
  const service = await create();
  await store.db.$executeRaw`DROP TABLE "SessionPresence"`;
  expect(await service.close()).toBe(false);
  expect(lines).toMatchObject([
    { step: 'sessions', msg: 'not ended in order' },
    { msg: 'audit head' },
  ]);
  expect(await service.close()).toBe(false);
});

test('a step of the shutdown that takes too long is abandoned and logged', async () => {
  const { lines, log } = startLog();
  expect(await endStep(log, 'slow', new Promise(() => undefined), 10)).toBe(false);
  expect(lines).toMatchObject([{ step: 'slow', msg: 'not ended in time' }]);
});

test('a start that the database fails is refused in one sentence', async () => {
  const { store, create } = await start();
  await store.db.$executeRaw`ALTER TABLE "Organization" RENAME TO "Away"`;
  const first = runStartStep(store.kind, () => bootstrap(store));
  await expect(first).rejects.toBeInstanceOf(DatabaseStartError);
  await expect(first).rejects.toThrow(/^The database [^\n]* cannot be used \(42P01\)\. [^\n]*$/);
  await store.db.$executeRaw`ALTER TABLE "Connection" RENAME TO "Gone"`;
  const second = runStartStep(store.kind, create);
  await expect(second).rejects.toBeInstanceOf(DatabaseStartError);
});

test('an error that does not come from the database is passed on as it is', async () => {
  const mistake = new TypeError('ours');
  await expect(runStartStep('pglite', () => Promise.reject(mistake))).rejects.toBe(mistake);
});
