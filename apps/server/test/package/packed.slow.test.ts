import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  findFreePort,
  isGatehouseReady,
  type LaunchedProcess,
  launch,
  mustRun,
  packPackage,
  publishingFaults,
} from '@gatehouse/harness';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const TOKEN = 'a-bootstrap-token-of-thirty-two-characters';

describe('the packed server', () => {
  let folder: string;
  let tarball: string;
  const started: LaunchedProcess[] = [];
  const client = () => join(folder, 'client');
  const service = () => join(folder, 'service');
  const installArgs = [
    'install',
    '--prefer-offline',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
  ];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gatehouse-packed-'));
    await Promise.all([mkdir(client()), mkdir(service())]);
    const [server, sdk] = await Promise.all([
      packPackage('apps/server', folder),
      packPackage('packages/sdk', folder),
    ]);
    tarball = server;
    await mustRun('npm', [...installArgs, server], { cwd: service() });
    await mustRun('npm', [...installArgs, sdk], { cwd: client() });
  }, 240_000);

  afterAll(async () => {
    await Promise.all(started.map((process) => process.kill9()));
    await rm(folder, { recursive: true, force: true });
  });

  /** Runs a command where the server is installed, as a terminal does. */
  async function start(command: string, ...args: string[]) {
    const port = await findFreePort();
    const origin = `http://127.0.0.1:${port}`;
    const process = await launch({
      command,
      args,
      cwd: service(),
      asGroup: true,
      env: { GATEHOUSE_PORT: String(port), GATEHOUSE_BOOTSTRAP_TOKEN: TOKEN },
      readyWhen: isGatehouseReady,
      timeout: 180_000,
    });
    started.push(process);
    return { process, origin };
  }

  /** Does what the README of the packed SDK says, which lists the integrations that there are. */
  async function followReadme(origin: string): Promise<string[]> {
    const readme = await readFile(join(client(), 'node_modules/@gatehouse/sdk/README.md'), 'utf8');
    const [, quickStart = ''] = /```ts\n([\s\S]*?)```/.exec(readme) ?? [];
    await writeFile(join(client(), 'quick-start.mjs'), quickStart);
    const env = { GATEHOUSE_BASE_URL: origin, GATEHOUSE_ACCESS_TOKEN: TOKEN };
    const output = await mustRun(process.execPath, ['quick-start.mjs'], { cwd: client(), env });
    expect(output).toContain(`MCP clients connect to ${origin}/mcp/`);
    return output.split('\n').filter((line) => line === 'Issue tracker pending');
  }

  it('is what publint and package managers ask for', async () => {
    expect(await publishingFaults(tarball)).toEqual([]);
  });

  it('needs no other package of the workspace', async () => {
    expect(await readdir(join(service(), 'node_modules/@gatehouse'))).toEqual(['server']);
  });

  it('serves by npx in a folder without anything else, until Ctrl-C', async () => {
    const { process, origin } = await start('npx', '@gatehouse/server');
    expect(process.stdout).toContain(`Gatehouse is ready at ${origin}/api/v1`);
    expect(await followReadme(origin)).toHaveLength(1);
    await process.stop('SIGINT');
    await expect(fetch(`${origin}/readyz`)).rejects.toThrow();
  }, 300_000);

  it('serves by its command, with what it had stored, until SIGTERM', async () => {
    const { process, origin } = await start(join(service(), 'node_modules/.bin/gatehouse'));
    expect(await followReadme(origin)).toHaveLength(2);
    expect(await process.stop('SIGTERM')).toEqual({ code: 0, signal: null });
  }, 300_000);
});
