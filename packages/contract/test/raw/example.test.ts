import { readFile, writeFile } from 'node:fs/promises';
import { afterEach, expect, it, vi } from 'vitest';
import { connect } from './example.ts';
import { startServer } from './server.ts';

const id = '0190a3b4-0000-7000-8000-000000000001';

afterEach(() => {
  vi.unstubAllEnvs();
});

/** With UPDATE_DOCS=1 the README is written anew instead of compared. */
it('stands in the README', async () => {
  const readmeFile = new URL('../../README.md', import.meta.url);
  const source = await readFile(new URL('example.ts', import.meta.url), 'utf8');
  const region = /\/\/#region example\n([\s\S]*?)\/\/#endregion/.exec(source)?.[1];
  const readme = await readFile(readmeFile, 'utf8');
  const expected = readme.replace(
    /(<!-- raw request: .*? -->\n```ts\n)[\s\S]*?```/,
    (_, before: string) => `${before}${region}\`\`\``,
  );
  if (process.env.UPDATE_DOCS === '1') return writeFile(readmeFile, expected);
  expect(region).toContain('rawRequest');
  expect(readme).toContain(region);
});

it('stores a token', async () => {
  const connection = { connected: true, status: 'connected' };
  const server = await startServer(200, JSON.stringify({ connection }));
  vi.stubEnv('GATEHOUSE_BASE_URL', server.baseUrl);
  vi.stubEnv('GATEHOUSE_ACCESS_TOKEN', 'gh_pat_test');
  expect(await connect(id, 'theirs')).toEqual(connection);
  expect(server.received).toMatchObject([{ method: 'POST', body: '{"token":"theirs"}' }]);
});

it('tells what the service refuses', async () => {
  const problem = {
    type: 'urn:gatehouse:problem:auth_mode_mismatch',
    title: 'Another authentication mode',
    status: 409,
    detail: 'The integration takes no tokens.',
    code: 'auth_mode_mismatch',
    requestId: 'request-1',
  };
  const server = await startServer(409, JSON.stringify(problem));
  vi.stubEnv('GATEHOUSE_BASE_URL', server.baseUrl);
  await expect(connect(id, 'theirs')).rejects.toThrow(
    'auth_mode_mismatch: The integration takes no tokens.',
  );
});
