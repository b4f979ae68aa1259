import { gatewayChanges, isPassedHeader } from '@gatehouse/contract';
import { describe, expect, it } from 'vitest';
import { clientOf, useFixture } from './fixture.ts';

const fixture = useFixture();
const send = clientOf(() => fixture.server.owner);

/** Of the connection to the upstream. */
const OF_CONNECTION = ['connection', 'content-length', 'host'];
/** Of the connection to the client. */
const OF_RESPONSE = ['connection', 'date', 'keep-alive', 'transfer-encoding'];

const namesOf = (changes: readonly { readonly name: string }[]) => changes.map(({ name }) => name);

/** A call with each header of the list, and some that no list has. */
async function callWith(
  headers: Record<string, string>,
  answered: Record<string, string>,
  contentType = 'application/json',
) {
  const integrationId = await fixture.integrate();
  const answer = send(fixture.urlOf(integrationId), { headers });
  const exchange = await fixture.upstream.nextRequest();
  exchange.respond({
    status: 200,
    headers: { ...answered, 'content-type': contentType },
    body: '{}',
  });
  const { headers: received } = await answer;
  return { sent: exchange.request.headers, received };
}

describe('what the contract says that the gateway does', () => {
  it('is what it does to the headers of a request', async () => {
    const { request } = gatewayChanges;
    const given = [
      ...request.passed.filter((name) => name !== 'content-encoding' && name !== 'content-type'),
      ...namesOf(request.removed).filter((name) => name === 'cookie'),
      ...['x-forwarded-for', 'x-other', 'mcp-param-region', 'mcp-new'],
    ];
    const { sent } = await callWith(Object.fromEntries(given.map((name) => [name, 'x'])), {});
    const passed = [...given, 'content-type'].filter((name) => isPassedHeader('request', name));
    expect(
      Object.keys(sent)
        .filter((name) => !OF_CONNECTION.includes(name))
        .sort(),
    ).toEqual([...passed, ...namesOf(request.added)].sort());
    expect(namesOf(request.removed).filter((name) => isPassedHeader('request', name))).toEqual([]);
  });

  it('is what it does to the headers of a response', async () => {
    const { response } = gatewayChanges;
    const unsent = ['content-length', 'content-encoding', 'content-type', 'cache-control'];
    const given = [
      ...response.passed.filter((name) => !unsent.includes(name)),
      ...namesOf(response.removed),
      ...['x-other', 'mcp-new', 'server'],
    ];
    const { received } = await callWith({}, Object.fromEntries(given.map((name) => [name, 'x'])));
    const passed = given.filter((name) => isPassedHeader('response', name));
    const added = namesOf(response.added);
    expect(
      Object.keys(received)
        .filter((name) => !OF_RESPONSE.includes(name))
        .sort(),
    ).toEqual([...new Set([...passed, 'content-type', 'content-length', ...added])].sort());
  });

  it('is what it adds to an event stream', async () => {
    const { received } = await callWith({}, {}, 'text/event-stream');
    for (const name of namesOf(gatewayChanges.response.added)) {
      expect(received[name], name).toBeDefined();
    }
  });

  it('is what it does with the id of a session', async () => {
    const integrationId = await fixture.integrate();
    const url = fixture.urlOf(integrationId);
    const begun = send(url);
    (await fixture.upstream.nextRequest()).respondResult({}, { 'Mcp-Session-Id': 'upstream' });
    const own = String((await begun).headers['mcp-session-id']);
    expect(own).not.toBe('upstream');
    const called = send(url, { headers: { 'mcp-session-id': own } });
    const exchange = await fixture.upstream.nextRequest();
    exchange.respondResult({}, {});
    await called;
    expect(exchange.request.headers['mcp-session-id']).toBe('upstream');
    expect(namesOf(gatewayChanges.request.replaced)).toEqual(['mcp-session-id']);
    expect(namesOf(gatewayChanges.response.replaced)).toEqual(['mcp-session-id']);
  });
});
