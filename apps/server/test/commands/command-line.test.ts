import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../src/commands/commands.ts';
import { SETTINGS } from '../../src/platform/config/settings.ts';
import { runHere } from './run.ts';

describe('the command line', () => {
  it.each(['--help', '-h'])('%s names every command', async (argument) => {
    const { code, stdout, stderr } = await runHere([argument]);
    expect([code, stderr]).toEqual([0, '']);
    for (const { name } of COMMANDS) expect(stdout).toContain(`  ${name.split(' ')[0]}`);
    expect(stdout).toContain('gatehouse serve --help');
  });

  it('serve --help names every variable, the values that it takes and its default', async () => {
    const { code, stdout } = await runHere(['serve', '--help']);
    expect(code).toBe(0);
    for (const { name, expected, fallback } of Object.values(SETTINGS)) {
      expect(stdout).toContain(`  ${name}\n`);
      expect(stdout).toContain(expected);
      expect(stdout).toContain(fallback);
    }
  });

  it.each(COMMANDS.map(({ name, summary }) => [name, summary] as const))(
    '%s --help says what it does, and ends with an example',
    async (name, summary) => {
      const { code, stdout, stderr } = await runHere([...name.split(' '), '--help']);
      expect([code, stderr]).toEqual([0, '']);
      expect(stdout.replaceAll(/\s+/g, ' ')).toContain(summary);
      expect(stdout).toMatch(new RegExp(`Example:\\n {2}gatehouse ${name}`));
    },
  );

  it.each(['--version', '-v', 'version'])('%s says the version', async (argument) => {
    expect(await runHere([argument])).toEqual({ code: 0, stdout: '1.2.3\n', stderr: '' });
  });

  it.each(['', ...COMMANDS.map(({ name }) => name), 'keys', 'serve'])(
    'help %s says what --help does',
    async (name) => {
      const words = name.split(' ').filter(Boolean);
      const help = await runHere(['help', ...words]);
      expect(help).toEqual(await runHere([...words, '--help']));
      expect(help.code).toBe(0);
    },
  );

  it.each([
    ['gatehouse', ['--port', '4000']],
    ['gatehouse', ['start']],
    ['gatehouse', ['--help=yes']],
    ['gatehouse serve', ['serve', 'now']],
    ['gatehouse sign-in-link', ['sign-in-link']],
    ['gatehouse sign-in-link', ['sign-in-link', 'a@example.com', 'b@example.com']],
    ['gatehouse sign-in-link', ['sign-in-link', 'a@example.com', '--loud']],
    ['gatehouse keys', ['keys', 'ad']],
    ['gatehouse keys activate', ['keys', 'activate']],
    ['gatehouse doctor', ['doctor', '--url', 'https://gatehouse.example.com/path']],
  ])(
    'names the help of %s when it refuses %j, in one line with exit code 2',
    async (name, args) => {
      const { code, stdout, stderr } = await runHere(args);
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toMatch(new RegExp(`^(?:[A-Z]|--)[^\\n]+[.?] Try ${name} --help\\.\\n$`));
    },
  );

  it('suggests the command that was meant', async () => {
    expect((await runHere(['sign-in-lnk'])).stderr).toContain('Did you mean sign-in-link?');
  });

  it('with --json an error is the one document on standard output, too', async () => {
    const { stdout, stderr } = await runHere(['sign-in-link', '--json']);
    expect(JSON.parse(stdout)).toEqual({ error: stderr.trimEnd() });
  });

  it('wrong settings are named, with exit code 2', async () => {
    const environment = { DATABASE_URL: 'mysql://secret@host' };
    const { code, stderr } = await runHere(['sign-in-link', 'a@example.com'], environment);
    expect(code).toBe(2);
    expect(stderr).toContain('DATABASE_URL');
    expect(stderr).not.toContain('secret');
  });
});
