import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { timeOf } from '../audit/verify/chain.ts';
import { exportOf, makeInstallation, OURS, textOf } from '../audit/verify/make-export.ts';
import { temporaryDirectory } from '../transfer/support/databases.ts';
import { runHere } from './run.ts';

const directory = temporaryDirectory();
const [file, changed, span, keyFile] = ['all', 'changed', 'span', 'key'].map((name) =>
  join(directory, name),
) as [string, string, string, string];
const made = makeInstallation();
const { live, crashed } = made;
const key = made.keys[0].key.publicKey;
const headOf = ({ run, number, hash } = live.head()) => `${run}:${number}:${hash}`;
const verify = (...args: string[]) => runHere(['audit', 'verify', ...args]);

beforeAll(() => {
  const text = textOf(exportOf(made));
  writeFileSync(file, text);
  writeFileSync(changed, text.replaceAll('192.0.2.1', '192.0.2.2'));
  writeFileSync(keyFile, `${key}\n`);
});

describe('audit verify', () => {
  it('says that an export is verified, and which runs ended by a crash', async () => {
    const { code, stdout, stderr } = await verify(file, '--key', key, '--head', headOf());
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout.split('\n')).toEqual([
      'Verified: 12 blocks, 10 call events, 8 management events.',
      `Read from the database at ${timeOf(61)}, of organization ${OURS}.`,
      '',
      `run ${made.ended.run} of node n1: blocks 3 to 6, ${timeOf(3)} to ${timeOf(6)}, ended`,
      `run ${crashed.run} of node n2: blocks 1 to 3, ${timeOf(4)} to ${timeOf(8)}, ended by a crash`,
      `run ${live.run} of node n1: blocks 1 to 5, ${timeOf(20)} to ${timeOf(24)}, still running`,
      'Heads that the export has: 1.',
      '',
    ]);
  });

  it('says of an export of a span that it is one', async () => {
    const text = textOf(exportOf(made, { from: 3, to: 22 }));
    writeFileSync(span, text);
    const { stdout } = await verify(span, '--key', key);
    expect(stdout).toContain(`, only from ${timeOf(3)}, only until ${timeOf(22)}.\n`);
  });

  it('takes a file with the key, several heads, and prints the report as JSON', async () => {
    const heads = ['--head', headOf(), headOf(live.head(2))];
    const { code, stdout } = await verify(file, '--key', keyFile, ...heads, '--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ verdict: 'verified', headsChecked: 2 });
  });

  it('says that without a key the file only agrees with itself', async () => {
    const { code, stdout } = await verify(file);
    expect(code).toBe(0);
    expect(stdout).toContain('No key was given');
  });

  it('ends with 4 and names what is changed', async () => {
    const { code, stdout, stderr } = await verify(changed, '--key', key);
    expect([code, stderr]).toEqual([4, '']);
    expect(stdout).toMatch(/^Not verified:\n {2}/);
    expect(stdout).toContain(`  run ${crashed.run}, block 1, calls_changed: A call event`);
  });

  it('ends with 4 if a kept head is not in the export', async () => {
    const head = headOf({ ...live.head(), number: 6 });
    const { code, stdout } = await verify(file, '--key', key, '--head', head);
    expect(code).toBe(4);
    expect(stdout).toContain(`  run ${live.run}, block 6, head: The export ends before`);
  });

  it('asks for the first key if it gets a later one', async () => {
    const { code, stdout } = await verify(file, '--key', made.keys[1].key.publicKey);
    expect(code).toBe(4);
    expect(stdout).toContain('a key from before the one that was given. Ask for the first key.');
  });

  it('refuses what is no key, head or file, in one sentence', async () => {
    expect(await verify(file, '--head', 'x')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^--head takes .* Try gatehouse audit verify --help\.\n$/),
    });
    const noKey = 'What --key names is not a public key, as `gatehouse audit key` prints it';
    expect(await verify(file, '--key', file)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(noKey),
    });
    const missing = join(directory, 'missing');
    const refused = { code: 1, stderr: `${missing} cannot be read (ENOENT).\n` };
    expect(await verify(missing)).toMatchObject(refused);
    expect(await verify(file, '--key', missing)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`${missing} cannot be read (ENOENT). ${noKey}`),
    });
    expect(await verify(directory)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('EISDIR'),
    });
  });

  it.each([['verify'], ['export', 'audit.ndjson']])(
    '%s without a database says so',
    async (...args) => {
      const { code, stderr } = await runHere(['audit', ...args], {
        GATEHOUSE_DATA_DIR: join(directory, 'none'),
      });
      expect(code).toBe(3);
      expect(stderr).toMatch(/^No server listens in .*, and there is no database\./);
    },
  );
});
