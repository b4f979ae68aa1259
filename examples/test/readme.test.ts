import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const at = (path: string) => new URL(`../${path}`, import.meta.url);

it('the index lists every example, and the tests run each', () => {
  const index = readFileSync(at('README.md'), 'utf8');
  const tests = readdirSync(at('test')).map((name) => readFileSync(at(`test/${name}`), 'utf8'));
  for (const file of readdirSync(at('src'))) {
    expect(index).toContain(`src/${file}`);
    if (file !== 'environment.ts') expect(tests.join('\n')).toContain(`from '../src/${file}'`);
  }
});
