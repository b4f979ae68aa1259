import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { type GatehouseOptions, launchGatehouse } from '../../src/launch/gatehouse.ts';

let directory: string;
let nodeBinary: string;
const stops: (() => Promise<unknown>)[] = [];

/** Stands where the Node binary stands, and shows what the server would be started with. */
const probe = `#!${process.execPath}
const { existsSync, writeFileSync } = require('node:fs');
const { GATEHOUSE_PORT, GATEHOUSE_HOST, TAKEN_UNLESS } = process.env;
if (TAKEN_UNLESS && !existsSync(TAKEN_UNLESS)) {
  writeFileSync(TAKEN_UNLESS, GATEHOUSE_PORT);
  console.error('listen EADDRINUSE: address already in use');
  process.exit(1);
}
console.log(JSON.stringify({ args: process.argv.slice(2), env: process.env }));
require('node:http').createServer().listen(Number(GATEHOUSE_PORT), GATEHOUSE_HOST, () => {
  console.log('Gatehouse is ready at http://127.0.0.1');
});
`;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'launch-gatehouse-'));
  nodeBinary = join(directory, 'probe.cjs');
  await writeFile(nodeBinary, probe);
  await chmod(nodeBinary, 0o755);
});

afterAll(() => rm(directory, { recursive: true }));

afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

async function start(options: GatehouseOptions = {}) {
  const gatehouse = await launchGatehouse({ nodeBinary, ...options });
  stops.push(gatehouse.dispose);
  const { args, env } = JSON.parse(gatehouse.stdout.split('\n')[0] ?? '');
  return { gatehouse, args, env };
}

it('starts the built server on a free port with its own data directory and token', async () => {
  const first = await start();
  const second = await start();
  expect(first.args).toEqual([
    '--liftoff-only',
    expect.stringMatching(/\/apps\/server\/dist\/main\.js$/),
  ]);
  expect(first.env).toMatchObject({
    GATEHOUSE_BOOTSTRAP_TOKEN: first.gatehouse.bootstrapToken,
    GATEHOUSE_ALLOWED_NETWORKS: '127.0.0.0/8,::1/128',
    GATEHOUSE_DATA_DIR: first.gatehouse.dataDir,
  });
  expect(first.env).not.toHaveProperty('DATABASE_URL');
  expect(first.gatehouse.bootstrapToken.length).toBeGreaterThanOrEqual(32);
  expect(first.gatehouse.port).not.toBe(second.gatehouse.port);
  expect(first.gatehouse.dataDir).not.toBe(second.gatehouse.dataDir);
  expect((await stat(first.gatehouse.dataDir)).isDirectory()).toBe(true);
  expect(first.gatehouse.baseUrl).toBe(`http://127.0.0.1:${first.gatehouse.port}/api/v1`);
});

it('takes another port when the first is already in use', async () => {
  const note = join(directory, 'first-port');
  const { gatehouse } = await start({ env: { TAKEN_UNLESS: note } });
  expect(await readFile(note, 'utf8')).not.toBe(String(gatehouse.port));
});

it('deletes on disposal the data directory that it made, and no other', async () => {
  const { gatehouse } = await start();
  await gatehouse.dispose();
  await expect(stat(gatehouse.dataDir)).rejects.toMatchObject({ code: 'ENOENT' });
  const given = await start({ dataDir: directory });
  await given.gatehouse.dispose();
  expect((await stat(directory)).isDirectory()).toBe(true);
});

it('deletes the data directory that it made when the server does not start', async () => {
  const error = await start({ env: { GATEHOUSE_HOST: 'nowhere.invalid' } }).catch((e) => e);
  const { env } = JSON.parse(error.output.stdout);
  await expect(stat(env.GATEHOUSE_DATA_DIR)).rejects.toMatchObject({ code: 'ENOENT' });
});

it('shares one encryption key among the nodes of a PostgreSQL database', async () => {
  const databaseUrl = 'postgresql://localhost/none';
  const [first, second] = await Promise.all([start({ databaseUrl }), start({ databaseUrl })]);
  expect(first.env.DATABASE_URL).toBe(databaseUrl);
  expect(first.env.GATEHOUSE_ENCRYPTION_KEYS).toMatch(/^test:[A-Za-z0-9+/]{43}=$/);
  expect(second.env.GATEHOUSE_ENCRYPTION_KEYS).toBe(first.env.GATEHOUSE_ENCRYPTION_KEYS);
});

it('lets the caller override and add settings', async () => {
  const { env } = await start({ env: { GATEHOUSE_RATE_LIMIT: '0', GATEHOUSE_HOST: 'localhost' } });
  expect(env).toMatchObject({ GATEHOUSE_RATE_LIMIT: '0', GATEHOUSE_HOST: 'localhost' });
});
