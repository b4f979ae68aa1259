import { beforeAll, describe, expect, it } from 'vitest';
import { use } from '../../support/use.ts';
import { useFixture } from '../fixture.ts';
import { newApplication, openClient } from './aggregate-client.ts';
import { startScriptedServer, toolOf } from './scripted-server.ts';

const fixture = useFixture();
const server = use(() => startScriptedServer('any'));

const [LEGACY, MODERN] = ['2025-11-25', '2026-07-28'];
const ERAS = ['legacy', 'modern'] as const;
const CELLS = ERAS.flatMap((client) => ERAS.map((upstream) => ({ client, upstream })));

/** By the era of the integration. */
const ids = { legacy: '', modern: '' };
let url: string;

beforeAll(async () => {
  const applicationId = await newApplication(fixture);
  url = `${fixture.server.origin}/mcp/${applicationId}`;
  for (const era of ERAS) {
    const spoken = era === 'legacy' ? { legacy: LEGACY } : { modern: MODERN };
    ids[era] = await fixture.integrate({ name: era, url: `${server.url}/${era}` }, spoken);
    const where = { id: ids[era] };
    const spokenEras = { url: `${server.url}/${era}`, legacy: null, modern: null, ...spoken };
    await fixture.server.store.db.integration.update({ where, data: { spokenEras } });
    await fixture.api('POST', `/applications/${applicationId}/integrations/${ids[era]}`);
  }
});

interface CallEvent {
  readonly details: { readonly method: string; readonly name: string | null };
}

async function namesOfCalls(integrationId: string): Promise<readonly (string | null)[]> {
  const path = `/audit-events?kind=call&integrationId=${integrationId}&limit=100`;
  const { body } = await fixture.api('GET', path);
  return (body.items as CallEvent[])
    .filter(({ details }) => details.method === 'tools/call')
    .map(({ details }) => details.name);
}

it('lists that an integration answers on an event stream are recorded as relayed', async () => {
  server.on('tools/list', async (exchange) => {
    exchange.startSse();
    const result = { tools: [toolOf('echo')] };
    await exchange.sendEvent({ data: { jsonrpc: '2.0', id: exchange.message?.id, result } });
  });
  const { listTools } = await openClient(url, fixture.server.owner, 'legacy');
  expect((await listTools()).names).toContain('legacy__echo');
  server.on('tools/list', undefined);
  const outcomes = async () => {
    const path = `/audit-events?kind=call&integrationId=${ids.legacy}&limit=100`;
    const { body } = await fixture.api('GET', path);
    return body.items
      .filter(({ details }: CallEvent) => details.method === 'tools/list')
      .map(({ outcome }: { outcome: string }) => outcome);
  };
  await expect.poll(outcomes, { timeout: 10_000 }).toEqual(['relayed']);
});

describe.each(CELLS)('a $client client of a $upstream integration', ({ client, upstream }) => {
  it('is recorded with the name that the integration knows', async () => {
    const before = await namesOfCalls(ids[upstream]);
    const { call } = await openClient(url, fixture.server.owner, client);
    expect((await call(`${upstream}__echo`)).body.result).toBeDefined();
    await expect
      .poll(() => namesOfCalls(ids[upstream]), { timeout: 10_000 })
      .toHaveLength(before.length + 1);
    expect(new Set(await namesOfCalls(ids[upstream]))).toEqual(new Set(['echo']));
  });

  it('gets the refusal of a limit under its own id', async () => {
    const policy = `/integrations/${ids[upstream]}/policy`;
    await fixture.api('PUT', policy, { limits: { perMinute: 1 } });
    const { ask } = await openClient(url, fixture.server.owner, client);
    const params = { name: `${upstream}__echo`, arguments: {} };
    await ask('tools/call', params);
    const { body } = await ask('tools/call', params);
    expect(body).toMatchObject({ id: 5, error: { code: -31004 } });
    await fixture.api('PUT', policy, {});
  });

  it.each(['"é"', '"\\u00e9"'])('gets the answer to the id %s', async (id) => {
    const { send, headers } = await openClient(url, fixture.server.owner, client);
    const name = `${upstream}__echo`;
    const meta = {
      'io.modelcontextprotocol/protocolVersion': MODERN,
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const params = { name, arguments: {}, ...(client === 'modern' && { _meta: meta }) };
    const mirrored = {
      'mcp-protocol-version': MODERN,
      'mcp-method': 'tools/call',
      'mcp-name': name,
    };
    const answer = await send({
      headers: client === 'modern' ? mirrored : headers,
      body: `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":${JSON.stringify(params)}}`,
    });
    const read = JSON.parse(Buffer.from(await answer.text(), 'latin1').toString());
    expect(read).toMatchObject({ id: 'é', result: { content: [{ text: 'any' }] } });
  });
});
