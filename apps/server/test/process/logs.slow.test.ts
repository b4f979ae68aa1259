import { expect, test } from 'vitest';
import { endFile } from '../support/after-file.ts';
import { noteOutput, noteSecret, takeLeaks } from './support/logs.ts';
import { randomSecret } from './support/routes.ts';

const LOG = { isFirstTokenShown: false };
const WELCOME = { isFirstTokenShown: true };

test('a secret is found in what processes wrote, in any of its forms, on either stream', () => {
  const [first, second] = [randomSecret(), randomSecret()];
  noteSecret('the first', first);
  noteSecret('the second', second);
  const inHex = Buffer.from(second).toString('hex');
  noteOutput('a log', { stdout: `{"msg":"${first}"}\n`, stderr: '' }, LOG);
  noteOutput('an error', { stdout: '', stderr: `Error: x${inHex}` }, LOG);
  noteOutput('a clean log', { stdout: `{"msg":"${first.slice(1)}"}\n`, stderr: 'nothing' }, LOG);
  expect(takeLeaks()).toEqual([
    'the first stands in what a log wrote',
    'the second stands in what an error wrote',
  ]);
});

test('the token that a first start shows may stand between the lines of its log, not in them', () => {
  const token = randomSecret();
  noteSecret('the token', token);
  noteOutput('a welcome', { stdout: `{"msg":"x"}\nUse ${token}.\n`, stderr: '' }, WELCOME);
  noteOutput('a log', { stdout: `{"msg":"${token}"}\nUse it.\n`, stderr: '' }, WELCOME);
  noteOutput('an error', { stdout: '', stderr: token }, WELCOME);
  expect(takeLeaks()).toEqual([
    'the token stands in what a log wrote',
    'the token stands in what an error wrote',
  ]);
});

test('a leak fails the file in which it happened, and no other', async () => {
  const token = randomSecret();
  noteSecret('the token', token);
  noteOutput('a log', { stdout: '', stderr: token }, LOG);
  await expect(endFile()).rejects.toThrow('the token stands in what a log wrote');
  await expect(endFile()).resolves.toBeUndefined();
});
