import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../src/commands/commands.ts';
import { runHere } from './run.ts';

const scriptFor = async (shell: string) => (await runHere(['completion', shell])).stdout;

/** What bash offers after these words, of which the last is not complete. */
async function offered(...words: string[]): Promise<string[]> {
  const script = `${await scriptFor('bash')}
COMP_WORDS=(gatehouse ${words.map((word) => `'${word}'`).join(' ')})
COMP_CWORD=${words.length}
_gatehouse
printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { status, stdout } = spawnSync('bash', ['--norc'], { input: script, encoding: 'utf8' });
  expect(status).toBe(0);
  return stdout.trim().split('\n');
}

describe('completions', () => {
  it('in bash offer commands, those of a group, and options', async () => {
    expect(await offered('')).toEqual(
      expect.arrayContaining(['serve', 'check', 'keys', 'token', '--version']),
    );
    expect(await offered('keys', 're')).toEqual(['rewrap', 'retire']);
    expect(await offered('keys', 'retire', '--')).toEqual(['--now', '--json', '--help']);
    expect(await offered('keys', 'retire', 'an-id', '--n')).toEqual(['--now']);
    expect(await offered('sign-in-link', 'a@example.com', '--j')).toEqual(['--json']);
  });

  it.each(['bash', 'zsh', 'fish'])('in %s know every command and option', async (shell) => {
    const script = await scriptFor(shell);
    for (const { name, options = [] } of COMMANDS) {
      for (const word of name.split(' ')) expect(script).toContain(word);
      for (const { flags } of options) {
        const [long = ''] = flags.split(' ');
        expect(script).toContain(shell === 'fish' ? `-l ${long.slice(2)}` : long);
      }
    }
  });

  it('are not made for another shell', async () => {
    const { code, stderr } = await runHere(['completion', 'tcsh']);
    expect([code, stderr]).toEqual([2, 'completion takes bash, zsh or fish.\n']);
  });
});
