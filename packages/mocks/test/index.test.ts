import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import * as index from '../src/index.ts';
import * as node from '../src/node.ts';

const source = new URL('../src/', import.meta.url);

it('exports these names', () => {
  expect(Object.keys(index).sort()).toEqual(['createMockGatehouse', 'mockRoute', 'problem']);
  expect(Object.keys(node)).toEqual(['setupMockGatehouse']);
});

it('has an index that runs everywhere: no Node module, and msw by its neutral entry alone', () => {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && name !== 'node.ts' && name !== 'browser.ts',
  );
  const imports = files.flatMap((name) =>
    [...readFileSync(new URL(name, source), 'utf8').matchAll(/from '([^'.][^']*)'/g)].map(
      ([, target]) => target,
    ),
  );
  expect([...new Set(imports)].sort()).toEqual(['@gatehouse/contract', 'ipaddr.js', 'msw']);
});
