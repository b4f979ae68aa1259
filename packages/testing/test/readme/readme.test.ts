import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const packageRoot = fileURLToPath(new URL('../../', import.meta.url));

it.each(['mcp-client', 'oauth-client', 'application'])('shows the example %s', async (name) => {
  const source = await readFile(`${packageRoot}test/readme/${name}.test.ts`, 'utf8');
  const [, region = source] = /^\/\/#region readme\n(.*?)^\/\/#endregion$/ms.exec(source) ?? [];
  const readme = await readFile(`${packageRoot}README.md`, 'utf8');
  expect([...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, code]) => code)).toContain(region);
});
