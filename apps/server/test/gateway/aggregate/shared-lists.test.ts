import type { Exchange } from '@gatehouse/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { use } from '../../support/use.ts';
import { useFixture } from '../fixture.ts';
import { type AggregateClient, newApplication, openClient } from './aggregate-client.ts';
import { startScriptedServer, toolOf } from './scripted-server.ts';

const fixture = useFixture();
const upstream = use(() => startScriptedServer('only'));
let applicationId: string;
/** Of the same person. */
let first: AggregateClient;
let second: AggregateClient;

beforeEach(async () => {
  applicationId = await newApplication(fixture);
  const id = await fixture.integrate({ name: 'Only', url: upstream.url });
  await fixture.api('POST', `/applications/${applicationId}/integrations/${id}`);
  upstream.on('tools/list', undefined);
  const open = () =>
    openClient(`${fixture.server.origin}/mcp/${applicationId}`, fixture.server.owner, 'legacy');
  first = await open();
  second = await open();
});

const sessionOf = ({ request }: Exchange) => request.headers['mcp-session-id'];

/** Both list at the same moment; the first session has asked, and its server awaits `end` to answer that it is gone. */
async function listTogether(end: () => Promise<unknown>) {
  const before = upstream.received('tools/list').length;
  const asked = () => upstream.received('tools/list').slice(before);
  upstream.on('tools/list', (exchange) => {
    const isFirst = sessionOf(exchange) === sessionOf(asked()[0] as Exchange);
    if (!isFirst) exchange.respondResult({ tools: [toolOf('echo')] });
  });
  const listed = [first.listTools()];
  await expect.poll(() => asked().length).toBe(1);
  listed.push(second.listTools());
  await end();
  for (const exchange of asked()) {
    if (sessionOf(exchange) === sessionOf(asked()[0] as Exchange))
      exchange.respond({ status: 404 });
  }
  return Promise.all(listed.map((list) => list.catch(() => undefined)));
}

describe('a list that two sessions of a person read together', () => {
  it('is read again for the second one if the first one ends', async () => {
    const [, list] = await listTogether(() =>
      first.send({ method: 'DELETE', headers: first.headers }),
    );
    expect(list).toEqual({ names: ['only__echo'], states: { only: 'ok 1' } });
  });

  it('is read again for the second one if that behind the first one is revoked', async () => {
    const path = `/applications/${applicationId}/sessions`;
    const [mine, list] = await listTogether(async () => {
      const { body } = await fixture.api('GET', path);
      await fixture.api('DELETE', `${path}/${body.items[0].id}`);
    });
    expect(mine).toMatchObject({ names: [] });
    expect(list).toEqual({ names: ['only__echo'], states: { only: 'ok 1' } });
  });
});

it('a session that is refused keeps no list from the others of its person', async () => {
  await first.call('only__echo');
  const path = `/applications/${applicationId}/sessions`;
  const { body } = await fixture.api('GET', path);
  await fixture.api('DELETE', `${path}/${body.items[0].id}`);
  expect(await first.listTools()).toEqual({ names: [], states: { only: 'failed 0' } });
  expect(await second.listTools()).toEqual({ names: ['only__echo'], states: { only: 'ok 1' } });
});
