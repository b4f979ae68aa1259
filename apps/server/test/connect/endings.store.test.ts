import { startIdentityProvider, startUpstream } from '@gatehouse/testing';
import { expect, it } from 'vitest';
import { useServer } from '../support/server.ts';
import { use } from '../support/use.ts';
import {
  connect,
  connectionsOf,
  createIntegration,
  createMember,
  type Member,
  pageOf,
} from './fixture.ts';

const server = useServer();
const provider = use(() => startIdentityProvider());
const upstream = use(() => startUpstream({ oauth: provider }));

interface Connected {
  readonly member: Member;
  readonly id: string;
}

const call = async (method: string, path: string, token?: string) => {
  const { status, text } = await server.call(method, path, token === undefined ? {} : { token });
  expect(status, text).toBeLessThan(300);
};

it.each<[string, (connected: Connected) => Promise<unknown>]>([
  [
    'the person disconnects on the page',
    async ({ member: { browser }, id }) => {
      const page = await (await browser.get(pageOf(id))).text();
      await browser.submit(page, { decision: 'disconnect' });
    },
  ],
  [
    'a program disconnects the person',
    ({ member: { token }, id }) => call('DELETE', `/integrations/${id}/connection`, token),
  ],
  ['the OAuth configuration is deleted', ({ id }) => call('DELETE', `/integrations/${id}/oauth`)],
  ['the member is removed', ({ member }) => call('DELETE', `/members/${member.id}`)],
])('the grant at the provider ends when %s', async (_what, end) => {
  const member = await createMember(server);
  const id = await createIntegration(server, { url: upstream.url, oauth: { scopes: [] } });
  expect((await connect(member, provider, pageOf(id))).status).toBe(200);
  const { grantsEnded } = provider.counts;
  await end({ member, id });
  expect(await connectionsOf(server, member)).toEqual([]);
  await expect.poll(() => provider.counts.grantsEnded).toBe(grantsEnded + 1);
});
