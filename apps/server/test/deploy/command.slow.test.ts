import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findFreePort } from '@gatehouse/harness';
import { afterAll, describe, expect, test } from 'vitest';
import { deployFile } from './support/deploy-file.ts';

const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

/** The command that is installed beside the systemd unit, with the folders of this test. */
describe('the command for the nodes of systemd', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-command-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const settings = join(folder, 'etc');
  const program = join(folder, 'gatehouse');
  const port = await findFreePort();
  mkdirSync(settings);
  mkdirSync(join(folder, 'gatehouse-3001'), { mode: 0o700 });
  writeFileSync(join(settings, 'gatehouse.env'), `GATEHOUSE_PUBLIC_URL=http://127.0.0.1:${port}\n`);
  writeFileSync(join(settings, 'database-url'), 'postgresql://gatehouse@127.0.0.1:1/gatehouse');
  writeFileSync(
    join(settings, 'encryption-keys'),
    `k1:${Buffer.alloc(32, 'k').toString('base64')}`,
  );
  const text = readFileSync(deployFile('systemd/gatehouse'), 'utf8')
    .replaceAll('/etc/gatehouse/', `${settings}/`)
    .replaceAll('/var/lib/gatehouse-', `${folder}/gatehouse-`)
    .replace('/usr/bin/node', process.execPath)
    .replace('/opt/gatehouse/dist/main.js', main);
  writeFileSync(program, text);
  chmodSync(program, 0o755);
  const run = (...args: string[]) =>
    spawnSync(program, args, { cwd: folder, encoding: 'utf8', timeout: 60_000 });

  test('prints the help when it is called with nothing, and starts no node', () => {
    const { status, stdout, stderr } = run();
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^Usage: gatehouse /);
    expect(run('help').stdout).toBe(stdout);
  });

  test('leaves nodes to systemd', () => {
    const { status, stdout, stderr } = run('serve');
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toContain('systemctl start gatehouse@3001');
  });

  test('checks the data directory of a node, not one of the folder where it is called', () => {
    const { findings } = JSON.parse(run('check', '--json').stdout);
    const found = `${join(folder, 'gatehouse-3001')} is accessible to its user only.`;
    expect(findings).toContainEqual({ about: 'data directory', status: 'ok', found });
  });

  test('takes the data directory of the settings, if they name one', () => {
    const named = join(folder, 'named');
    writeFileSync(
      join(settings, 'gatehouse.env'),
      `GATEHOUSE_PUBLIC_URL=http://127.0.0.1:${port}\nGATEHOUSE_DATA_DIR=${named}\n`,
    );
    const { findings } = JSON.parse(run('check', '--json').stdout);
    const found = `There is no ${named} yet: the first start makes it.`;
    expect(findings).toContainEqual({ about: 'data directory', status: 'ok', found });
  });
});
