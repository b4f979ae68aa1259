import { expect, it } from 'vitest';
import { readCommandLine } from '../src/command-line.ts';
import { SETTINGS } from '../src/platform/config/settings.ts';

it('runs the server without arguments', () => {
  expect(readCommandLine([], '1.2.3')).toEqual({ kind: 'run' });
});

it.each(['--help', '-h'])(
  '%s names every variable, what it expects and what holds without it',
  (argument) => {
    const command = readCommandLine([argument], '1.2.3');
    expect(command.kind).toBe('print');
    for (const { name, expected, fallback } of Object.values(SETTINGS)) {
      expect(command).toMatchObject({ text: expect.stringContaining(`  ${name}\n`) });
      expect(command).toMatchObject({ text: expect.stringContaining(expected) });
      expect(command).toMatchObject({ text: expect.stringContaining(fallback) });
    }
  },
);

it('--version says the version', () => {
  expect(readCommandLine(['--version'], '1.2.3')).toEqual({ kind: 'print', text: '1.2.3\n' });
});

it('sign-in-link takes one email', () => {
  expect(readCommandLine(['sign-in-link', 'a@example.com'], '1.2.3')).toEqual({
    kind: 'sign-in-link',
    email: 'a@example.com',
  });
});

it.each([
  ['--port', '4000'],
  ['start'],
  ['--help=yes'],
  ['sign-in-link'],
  ['sign-in-link', 'a@example.com', 'b@example.com'],
])('refuses %s', (...args) => {
  const command = readCommandLine(args, '1.2.3');
  expect(command).toMatchObject({ kind: 'fail', text: expect.stringContaining('--help') });
});
