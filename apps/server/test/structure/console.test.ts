import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { filesIn, importsWithin, packageOf } from './imports.ts';

const console = fileURLToPath(new URL('../../../console/', import.meta.url));
const SOURCES = /\.tsx?$/;

/** The floors of `apps/console/src`, the lowest first; '' are the files beside the folders. */
const FLOORS = ['api', 'components', 'shell', 'views', ''];

function floorOf(file: string): number {
  const folder = file.includes('/') ? file.split('/')[0] : '';
  return FLOORS.indexOf(folder ?? '');
}

const imports = importsWithin(join(console, 'src'), SOURCES);

describe('the sources of the console', () => {
  it('import from their own floor and those below', () => {
    const upwards = imports.filter(({ file, target }) => {
      if (target === undefined || !SOURCES.test(target)) return false;
      return floorOf(target) > floorOf(file);
    });
    expect(upwards.map(({ file, target }) => `${file} → ${target}`)).toEqual([]);
  });

  it('know the contract and the SDK, and neither the server nor the mocks', () => {
    const ours = imports.filter(({ specifier }) => specifier.startsWith('@gatehouse/'));
    expect([...new Set(ours.map(({ specifier }) => packageOf(specifier)))].sort()).toEqual([
      '@gatehouse/contract',
      '@gatehouse/sdk',
    ]);
  });

  it('reach the demo at one place alone', () => {
    const outside = imports.filter(({ target }) => target?.startsWith('..'));
    expect(outside.map(({ file, target }) => `${file} → ${target}`)).toEqual([
      'main.tsx → ../demo/start.ts',
    ]);
  });

  it('are at most 250 lines long', () => {
    const long = filesIn(join(console, 'src'), SOURCES)
      .filter((file) => readFileSync(file, 'utf8').split('\n').length > 251)
      .map((file) => relative(console, file));
    expect(long).toEqual([]);
  });

  it('set no HTML from text', () => {
    const files = filesIn(join(console, 'src'), SOURCES).filter((file) =>
      /dangerouslySetInnerHTML|innerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function/.test(
        readFileSync(file, 'utf8'),
      ),
    );
    expect(files).toEqual([]);
  });
});
