import { beforeAll, describe, expect, it } from 'vitest';
import { newApplication } from './aggregate/aggregate-client.ts';
import { modernRequest } from './connect-fixture.ts';
import { clientOf, type SendOptions, useFixture } from './fixture.ts';

const fixture = useFixture();
const urls = { pair: '', one: '' };

beforeAll(async () => {
  const applicationId = await newApplication(fixture);
  const integrationId = await fixture.integrate({ name: 'One' });
  await fixture.api('POST', `/applications/${applicationId}/integrations/${integrationId}`);
  urls.one = `${fixture.server.origin}/mcp/${applicationId}`;
  urls.pair = `${urls.one}/${integrationId}`;
  fixture.upstream.otherwise(({ respondResult }) => respondResult({ content: [] }));
});

const send = (url: string, options: SendOptions) => clientOf(fixture.server.owner)(url, options);
const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'one__echo' } };

const NO_VERSIONS = ['newest', '2024-01-01', '2025-13-01', '1', ''];

it.each(NO_VERSIONS)(
  'a request to the one URL with the version %j, which is not one of MCP, is 400, and nothing goes up',
  async (version) => {
    const before = fixture.upstream.requests.length;
    for (const method of ['POST', 'GET', 'DELETE']) {
      const headers = { 'mcp-protocol-version': version };
      const sent = method === 'POST' ? { method, headers, body } : { method, headers };
      expect((await send(urls.one, sent)).status).toBe(400);
    }
    expect(fixture.upstream.requests.length).toBe(before);
  },
);

it.each(NO_VERSIONS)(
  'a request to the URL of an integration with the version %j is refused by its server',
  async (version) => {
    const before = fixture.upstream.requests.length;
    await send(urls.pair, { method: 'POST', headers: { 'mcp-protocol-version': version }, body });
    expect(fixture.upstream.requests.length).toBe(before + 1);
    expect(fixture.upstream.requests.at(-1)?.headers['mcp-protocol-version']).toBe(version);
  },
);

describe('a call with a later version of the modern era', () => {
  const later = () => {
    const { headers, body: sent } = modernRequest('tools/call', { name: 'one__echo' });
    const text = JSON.stringify(sent).replace('2026-07-28', '2027-01-01');
    return { headers: { ...headers, 'mcp-protocol-version': '2027-01-01' }, body: text };
  };

  it('is 400 at the one URL, with the versions that it speaks', async () => {
    const before = fixture.upstream.requests.length;
    const answer = await send(urls.one, later());
    expect(answer.status).toBe(400);
    expect(JSON.parse(await answer.text()).error).toMatchObject({
      code: -32022,
      data: { supported: ['2026-07-28'], requested: '2027-01-01' },
    });
    expect(fixture.upstream.requests.length).toBe(before);
  });

  it('is left to the integration at its own URL', async () => {
    const before = fixture.upstream.requests.length;
    expect((await send(urls.pair, later())).status).toBe(200);
    expect(fixture.upstream.requests.length).toBe(before + 1);
  });
});
