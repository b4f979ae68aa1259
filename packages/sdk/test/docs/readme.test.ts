import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { packageRoot } from './support/generated-file.ts';

it('begins with the quick start that is compiled and run', async () => {
  const examples = await readFile(join(packageRoot, 'src/gatehouse.examples.ts'), 'utf8');
  const quickStart = /\/\/#region quick-start\n([\s\S]*?)\/\/#endregion/.exec(examples)?.[1];
  const readme = await readFile(join(packageRoot, 'README.md'), 'utf8');
  const [, first] = /```ts\n([\s\S]*?)```/.exec(readme) ?? [];
  expect(first).toBe(quickStart);
});
