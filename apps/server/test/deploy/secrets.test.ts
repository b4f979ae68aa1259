import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { deployFile } from './support/deploy-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-secrets-'));
const [store, files] = [join(folder, 'store'), join(folder, 'files')];
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs the script with this in place of `vault`. */
function fetchWith(vault: string) {
  writeFileSync(join(store, 'vault'), `#!/bin/sh\n${vault}\n`);
  chmodSync(join(store, 'vault'), 0o755);
  return spawnSync(deployFile('systemd/gatehouse-secrets'), [files], {
    encoding: 'utf8',
    env: { PATH: `${store}:${process.env.PATH}` },
  });
}

const contents = () =>
  Object.fromEntries(
    readdirSync(files).map((name) => [name, readFileSync(join(files, name), 'utf8')]),
  );

/** It prints what it was asked for. */
const WORKS = 'echo "$@"';
const FETCHED = {
  'database-url': 'kv get -mount=secret -field=database-url gatehouse\n',
  'encryption-keys': 'kv get -mount=secret -field=encryption-keys gatehouse\n',
};

describe('the secrets of a machine', () => {
  beforeEach(() => {
    for (const each of [store, files]) rmSync(each, { recursive: true, force: true });
    for (const each of [store, files]) mkdirSync(each);
  });

  it('are fetched into files for their user alone', () => {
    const { status, stdout, stderr } = fetchWith(WORKS);
    expect([status, stdout, stderr]).toEqual([0, '', '']);
    expect(contents()).toEqual(FETCHED);
    for (const name of Object.keys(FETCHED)) {
      expect(statSync(join(files, name)).mode & 0o777).toBe(0o600);
    }
  });

  it.each([
    ['is away', 'echo "no way to the store" >&2; exit 2', 2],
    ['breaks off', 'printf half; exit 1', 1],
    ['has nothing', 'true', 1],
  ])('stay as they are when the store %s', (_, vault, code) => {
    fetchWith(WORKS);
    expect(fetchWith(vault).status).toBe(code);
    expect(contents()).toMatchObject(FETCHED);
  });
});
