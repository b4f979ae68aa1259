import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { LaunchedGatehouse } from '@gatehouse/harness';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { Browser, PASSWORD } from '../support/browser.ts';
import { noteSecret } from './support/logs.ts';
import { runCommand, runCommandHere } from './support/run-command.ts';
import { startServer, temporaryDirectory } from './support/servers.ts';

vi.setConfig({ testTimeout: 240_000 });

const OTHER_PASSWORD = 'four blue kingfishers';

/** In the running server of the directory, or on its database. */
const signInLink = (dataDir: string, ...args: string[]) =>
  runCommandHere(['sign-in-link', ...args], { GATEHOUSE_DATA_DIR: dataDir });

/** The path of the link in a text. */
function linkIn(text: string): string {
  const [, path = '', secret = ''] = /(\/sign-in\/link\/([\w-]{43}))\b/.exec(text) ?? [];
  noteSecret('a sign-in link', secret);
  return path;
}

test('says in one sentence that no server runs', async () => {
  const { code, stdout, stderr } = await signInLink(temporaryDirectory(), 'owner@localhost');
  expect([code, stdout]).toEqual([3, '']);
  expect(stderr).toMatch(/^No server listens in \S+, and there is no database\. [^\n]+\n$/);
});

describe('with one server', () => {
  const dataDir = temporaryDirectory();
  let server: LaunchedGatehouse;
  beforeAll(async () => {
    server = await startServer({ dataDir, env: { GATEHOUSE_BOOTSTRAP_TOKEN: '' } });
  });

  test('the first start prints a link with which the owner chooses a password', async () => {
    const path = linkIn(server.stdout);
    const browser = new Browser(server);
    const choice = { password: PASSWORD, repeated: PASSWORD };
    expect((await browser.submit(path, choice)).status).toBe(303);
    expect((await new Browser(server).signIn('owner@localhost', PASSWORD)).status).toBe(303);
  });

  test('the command prints a link that signs a member in once', async () => {
    expect(statSync(join(dataDir, 'control.sock')).mode & 0o777).toBe(0o600);
    const made = await runCommand(['sign-in-link', 'Owner@localhost'], {
      GATEHOUSE_DATA_DIR: dataDir,
    });
    expect([made.code, made.stderr]).toEqual([0, '']);
    expect(made.stdout.split('\n')[0]).toContain(`${server.origin}/sign-in/link/`);
    const browser = new Browser(server);
    const path = linkIn(made.stdout);
    expect((await browser.submit(path)).status).toBe(303);
    expect((await browser.open('/account')).text).toContain('owner@localhost');
    expect((await browser.open(path)).status).toBe(404);
    expect(server.stdout).not.toContain(path);

    const unknown = await signInLink(dataDir, 'nobody@localhost');
    expect(unknown).toEqual({ code: 1, stdout: '', stderr: 'No member has this email.\n' });
  });

  test('the command prints a link with which a member chooses a new password', async () => {
    const made = await signInLink(dataDir, 'owner@localhost', '--reset-password');
    expect(made.stdout).toMatch(/\n\nA new password can be chosen with it once, until \S+\n$/);
    const choice = { password: OTHER_PASSWORD, repeated: OTHER_PASSWORD };
    expect((await new Browser(server).submit(linkIn(made.stdout), choice)).status).toBe(303);
    expect((await new Browser(server).signIn('owner@localhost', OTHER_PASSWORD)).status).toBe(303);
  });

  test('the command works also after the server was killed', async () => {
    await server.kill9();
    expect(server.stderr).toBe('');
    const opened = await signInLink(dataDir, 'owner@localhost');
    expect([opened.code, opened.stderr]).toEqual([0, '']);
    expect(linkIn(opened.stdout)).not.toBe('');
  });
});
