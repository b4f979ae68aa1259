import { readFileSync } from 'node:fs';
import { contract } from '@gatehouse/contract';
import { mockRoute } from '@gatehouse/mocks';
import { setupMockGatehouse } from '@gatehouse/mocks/node';
import { initClient } from '@ts-rest/core';
import { afterAll, beforeAll, expect, it } from 'vitest';

const ADDRESS = 'https://gatehouse.example.com';
const { gatehouse, server } = setupMockGatehouse({ baseUrl: ADDRESS });
beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
afterAll(() => server.close());

const readme = readFileSync(
  new URL('../../../../packages/contract/README.md', import.meta.url),
  'utf8',
);
const [, ofReadme = ''] = /initClient\(contract, \{\n {2}baseUrl: '([^']+)'/.exec(readme) ?? [];

function statusAt(baseUrl: string): Promise<number> {
  const baseHeaders = { authorization: `Bearer ${gatehouse.tokens.owner}` };
  return initClient(contract, { baseUrl, baseHeaders })
    .integrations.list()
    .then(({ status }) => status);
}

it('the ts-rest client reaches the API at the base URL of the README, and at that of the mocks', async () => {
  expect(await statusAt(ofReadme)).toBe(200);
  expect(await statusAt(gatehouse.baseUrl)).toBe(200);
});

it.each([ADDRESS, `${ADDRESS}/`, `${ADDRESS}/api/v1`, undefined])(
  'mockRoute mocks the route of the API at the base URL %s',
  async (baseUrl) => {
    const body = { items: [], nextCursor: null };
    server.use(mockRoute(contract.tokens.list, () => ({ status: 200, body }), { baseUrl }));
    const response = await fetch(`${ADDRESS}/api/v1/tokens`);
    expect([response.status, await response.json()]).toEqual([200, body]);
    server.resetHandlers();
  },
);
