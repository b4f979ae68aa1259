import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type ApiTarget, createApi } from './support/api.ts';
import {
  callingClient,
  type LoadClient,
  startAuditedLoad,
  writingClient,
} from './support/audited-load.ts';
import { startEchoUpstream } from './support/echo-upstream.ts';
import { createRoute, randomSecret } from './support/routes.ts';
import { runCommand, runCommandHere } from './support/run-command.ts';
import { startServer, temporaryDirectory } from './support/servers.ts';
import { createEmptyPostgresql, hasPostgresql } from './support/stores.ts';

vi.setConfig({ testTimeout: 600_000 });

const directory = temporaryDirectory();
const [first = '', second = '', backup = '', copy = '', keyFile = '', file = ''] = [
  ...['first', 'second', 'backup', 'copy', 'keys.env', 'audit.ndjson'],
].map((name) => join(directory, name));
const bootstrapToken = randomSecret();
const passphrase = { GATEHOUSE_BACKUP_PASSPHRASE: 'seven words that nobody guesses' };

test.skipIf(!hasPostgresql)(
  'an audit verifies with its first key after a crash, other keys, a backup and a move',
  async () => {
    const upstream = await startEchoUpstream();
    onTestFinished(() => upstream.close());
    const done: string[] = [];

    const before = await startServer({ dataDir: first, bootstrapToken });
    const clients = await createClients(before, upstream);
    const { publicKey } = await command({ GATEHOUSE_DATA_DIR: first }, 'audit', 'key');
    done.push(...(await work(before.origin, clients)));
    // The calls of the last second are not written when it is killed.
    await delay(2_500);
    await before.kill9();

    const here = await startServer({ dataDir: first, bootstrapToken });
    await replaceKeys({ GATEHOUSE_DATA_DIR: first });
    done.push(...(await work(here.origin, clients)));
    expect((await here.stop()).code).toBe(0);
    await command({ GATEHOUSE_DATA_DIR: first }, 'backup', backup);

    await command({ GATEHOUSE_DATA_DIR: second }, 'restore', backup);
    const restored = await startServer({ dataDir: second, bootstrapToken });
    done.push(...(await work(restored.origin, clients)));
    expect((await restored.stop()).code).toBe(0);

    const database = await createEmptyPostgresql();
    onTestFinished(() => database.drop());
    const { databaseUrl } = database.config;
    await command({ GATEHOUSE_DATA_DIR: second }, 'export', copy);
    await command({ DATABASE_URL: databaseUrl }, 'import', copy, '--keys-to', keyFile);
    const [, value = ''] = readFileSync(keyFile, 'utf8').split(/=(.*)\n/);
    const env = { GATEHOUSE_ENCRYPTION_KEYS: value };
    const moved = await startServer({ databaseUrl, bootstrapToken, env });
    done.push(...(await work(moved.origin, clients)));
    expect((await moved.stop()).code).toBe(0);

    await command({ DATABASE_URL: databaseUrl, ...env }, 'audit', 'export', file);
    const { code, json } = await runCommand([
      'audit',
      'verify',
      file,
      '--json',
      '--key',
      publicKey,
    ]);
    expect(json).toMatchObject({ verdict: 'verified', findings: [], keyChecked: true });
    expect(code).toBe(0);
    const ends: string[] = json.runs.map(({ end }: { end: string }) => end);
    expect(ends.filter((end) => end !== 'ended')).toEqual(['crashed']);
    expect(ends.length).toBeGreaterThan(3);
    expect(readRequests()).toEqual(new Set(done));
  },
);

async function createClients(server: ApiTarget, { url }: { readonly url: string }) {
  const { path, integrationId } = await createRoute(createApi(server), { url, authMode: 'none' });
  return [callingClient(path, bootstrapToken), writingClient(integrationId, bootstrapToken)];
}

/** Calls and writes. @returns the requests, which were all answered */
async function work(origin: string, clients: readonly LoadClient[]): Promise<string[]> {
  const { sent, stop } = startAuditedLoad(origin, clients);
  await expect.poll(() => sent.length).toBeGreaterThan(10);
  await stop();
  expect(new Set(sent.map(({ status }) => status))).toEqual(new Set([200]));
  return sent.map(({ requestId }) => requestId);
}

/** The one that seals secrets, and the one that signs the audit. */
async function replaceKeys(env: Readonly<Record<string, string>>): Promise<void> {
  const { keys } = await command(env, 'keys', 'status');
  const { id } = await command(env, 'keys', 'add');
  await command(env, 'keys', 'activate', id);
  const { left } = await command(env, 'keys', 'rewrap');
  expect(left).toBe(0);
  await command(env, 'keys', 'retire', keys[0].id, '--now');
  await command(env, 'audit', 'new-key');
}

async function command(env: Readonly<Record<string, string>>, ...args: string[]) {
  const ran = await runCommandHere([...args, '--json'], { ...env, ...passphrase });
  expect(ran.code, ran.stderr).toBe(0);
  return ran.json;
}

/** Those of the load that have left an event. */
function readRequests(): Set<string> {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  const events = lines.map((line) => JSON.parse(line)).flatMap(({ event }) => event ?? []);
  const ofLoad = events.filter(({ action }) => ['call', 'integration.updated'].includes(action));
  return new Set(ofLoad.map(({ requestId }) => requestId));
}
