import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packPackage } from '@gatehouse/harness';
import { afterAll, expect, it, vi } from 'vitest';

vi.setConfig({ testTimeout: 600_000 });

const repository = fileURLToPath(new URL('../../../../', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-npm-pack-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const tar = (...args: string[]) => execFileSync('tar', args, { encoding: 'utf8' });
const filesOf = (tarball: string) => tar('-tzf', tarball).trim().split('\n').sort();
const manifestOf = (tarball: string): unknown =>
  JSON.parse(tar('-xzOf', tarball, 'package/package.json'));

it.each(['packages/contract', 'packages/sdk', 'packages/mocks', 'packages/testing', 'apps/server'])(
  'npm pack in %s gives what is published, and leaves the package as it was',
  async (directory) => {
    const manifest = join(repository, directory, 'package.json');
    const before = readFileSync(manifest, 'utf8');
    const published = await packPackage(directory, folder);
    const destination = mkdtempSync(join(folder, 'npm-'));
    execFileSync('npm', ['pack', '--pack-destination', destination], {
      cwd: join(repository, directory),
      stdio: 'ignore',
    });
    const packed = join(destination, readdirSync(destination)[0] ?? '');
    expect(filesOf(packed)).toEqual(filesOf(published));
    expect(filesOf(packed)).toContain('package/LICENSE');
    expect(manifestOf(packed)).toEqual(manifestOf(published));
    expect(JSON.stringify(manifestOf(packed))).not.toMatch(/\.\/src\/|workspace:|catalog:/);
    expect(readFileSync(manifest, 'utf8')).toBe(before);
    expect(readdirSync(join(repository, directory))).not.toContain('LICENSE');
  },
);
