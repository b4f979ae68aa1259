import { beforeEach, describe, expect, it } from 'vitest';
import type { Era } from '../../../src/mcp/era.ts';
import type { SpokenEras } from '../../../src/mcp/spoken-eras.ts';
import { use } from '../../support/use.ts';
import { modernRequest } from '../connect-fixture.ts';
import { useFixture } from '../fixture.ts';
import { newApplication, openClient } from './aggregate-client.ts';
import { startScriptedServer } from './scripted-server.ts';

const fixture = useFixture();
const server = use(() => startScriptedServer('only'));
let url: string;
let integrationId: string;

const OTHER = { legacy: 'modern', modern: 'legacy' } as const;
const ERAS = ['legacy', 'modern'] as const;
const knownOnly = (era: Era) => ({
  legacy: era === 'legacy' ? '2025-11-25' : null,
  modern: era === 'modern' ? '2026-07-28' : null,
});

/** A new integration that is known to speak only this era. */
const attachKnownAs = (era: Era): Promise<void> => attach(knownOnly(era));

async function attach(eras: SpokenEras): Promise<void> {
  const applicationId = await newApplication(fixture);
  integrationId = await fixture.integrate({ name: 'Only', url: server.url });
  await fixture.server.store.db.integration.update({
    where: { id: integrationId },
    data: { spokenEras: { url: server.url, ...eras } },
  });
  await fixture.api('POST', `/applications/${applicationId}/integrations/${integrationId}`);
  url = `${fixture.server.origin}/mcp/${applicationId}`;
}

beforeEach(() => {
  server.speakOnly(undefined);
  server.onAll(undefined);
  for (const method of ['tools/call', 'initialize', 'server/discover'])
    server.on(method, undefined);
});

const open = (era: Era) => openClient(url, fixture.server.owner, era);
const calls = () => server.received('tools/call').length;

describe.each(ERAS)('a %s client', (client) => {
  describe.each(ERAS)('of an integration that spoke only the %s era and now the other', (known) => {
    it('has its call answered', async () => {
      await attachKnownAs(known);
      server.speakOnly(OTHER[known]);
      const { call } = await open(client);
      expect((await call('only__echo')).body.result.content[0].text).toBe('only');
      const sent = calls();
      expect((await call('only__echo')).body.result.content[0].text).toBe('only');
      expect(calls()).toBe(sent + 1);
    });

    it('has its list', async () => {
      await attachKnownAs(known);
      server.speakOnly(OTHER[known]);
      const { listTools } = await open(client);
      expect((await listTools()).states).toEqual({ only: 'ok 1' });
    });

    it('has its call answered when that changes during a session', async () => {
      await attachKnownAs(known);
      server.speakOnly(known);
      const { call } = await open(client);
      expect((await call('only__echo')).body.result.content[0].text).toBe('only');
      server.speakOnly(OTHER[known]);
      expect((await call('only__echo')).body.result.content[0].text).toBe('only');
    });
  });
});

it.each([
  ['a status of the server', 500],
  ['a status about credentials', 403],
])('%s is no evidence', async (_name, status) => {
  await attachKnownAs('modern');
  const { call } = await open('modern');
  const asked = server.received('server/discover').length;
  server.on('tools/call', ({ respond }) => respond({ status, body: 'no' }));
  const { body } = await call('only__echo');
  expect(body.error.data).toMatchObject({ code: 'upstream_status', status });
  expect(server.received('server/discover')).toHaveLength(asked);
});

it('an error with the status of a bad request passes if the era is right, and is sent once', async () => {
  await attachKnownAs('modern');
  const error = { code: -32602, message: 'No such argument' };
  server.on('tools/call', ({ respond, message }) =>
    respond({ status: 400, body: { jsonrpc: '2.0', id: message?.id, error } }),
  );
  for (const era of ERAS) {
    const { call } = await open(era);
    const sent = calls();
    expect((await call('only__echo')).body).toEqual({ jsonrpc: '2.0', id: 5, error });
    expect(calls()).toBe(sent + 1);
  }
});

it('an integration that refuses everything is not asked at each call', async () => {
  await attachKnownAs('legacy');
  const { call } = await open('legacy');
  server.onAll(({ respond }) => respond({ status: 400, body: 'no' }));
  const asked = server.received('server/discover').length;
  const answers = await Promise.all(Array.from({ length: 5 }, () => call('only__echo')));
  for (const { body } of answers) expect(body.error.data.code).toBe('upstream_status');
  expect(server.received('server/discover')).toHaveLength(asked + 1);
});

describe('an integration that nothing is known of', () => {
  const versions = (method: string, from: number) =>
    server
      .received(method)
      .slice(from)
      .map(({ request }) => request.headers['mcp-protocol-version']);

  it.each([
    ['legacy', '2025-11-25'],
    ['modern', '2026-07-28'],
  ] as const)(
    'is called and listed in the era of a %s client if it speaks both',
    async (era, version) => {
      await attach({});
      const [called, listed] = [calls(), server.received('tools/list').length];
      const { call, listTools } = await open(era);
      expect((await call('only__echo')).body.result.content[0].text).toBe('only');
      expect((await listTools()).states).toEqual({ only: 'ok 1' });
      expect(versions('tools/call', called)).toEqual([version]);
      expect(versions('tools/list', listed)).toEqual([version]);
    },
  );

  it('is asked once by simultaneous calls and lists of modern clients', async () => {
    await attach({});
    const asked = server.received('server/discover').length;
    const clients = await Promise.all([open('modern'), open('modern')]);
    await Promise.all(clients.flatMap(({ call, listTools }) => [call('only__echo'), listTools()]));
    await clients[0]?.call('only__echo');
    expect(server.received('server/discover')).toHaveLength(asked + 1);
  });

  it('is not asked again at each call while it does not show its eras', async () => {
    await attach({});
    server.on('server/discover', ({ respond }) => respond({ status: 503 }));
    const asked = server.received('server/discover').length;
    const { call } = await open('modern');
    for (let i = 0; i < 3; i += 1) {
      expect((await call('only__echo')).body.result.content[0].text).toBe('only');
    }
    expect(server.received('server/discover')).toHaveLength(asked + 1);
  });

  it('is listened to in the era of a modern client if it speaks both', async () => {
    await attach({});
    server.on('subscriptions/listen', ({ startSse }) => startSse());
    const listened = server.received('subscriptions/listen').length;
    const { send } = await open('modern');
    const params = { notifications: { toolsListChanged: true } };
    const stream = await send(modernRequest('subscriptions/listen', params));
    await expect.poll(() => server.received('subscriptions/listen').length).toBe(listened + 1);
    stream.abort();
  });
});
