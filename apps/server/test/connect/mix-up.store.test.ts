import { type IdentityProvider, startIdentityProvider, startUpstream } from '@gatehouse/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { signedInBrowser } from '../authorization-server/fixture.ts';
import { startTestServer } from '../support/server.ts';
import { use } from '../support/use.ts';
import {
  arrive,
  connectionsOf,
  createIntegration,
  leave,
  type Member,
  pageOf,
  shownOf,
} from './fixture.ts';

/*
 * A hostile authorization server sends the browser on to an honest one, to get the honest code with our
 * verifier ("mix-up", RFC 9700 section 4.4). Neither names itself in its answers (RFC 9207).
 */

const PUBLIC_URL = 'https://gatehouse.example';
const server = use(() => startTestServer({ publicUrl: PUBLIC_URL }));

/** How Gatehouse is a client of both servers. */
type Kind = 'static' | 'registered' | 'metadata_document' | 'impossible';

/** Fetches our documents as if they were public. */
const fetchDocument: typeof fetch = (url) =>
  fetch(String(url).replace(PUBLIC_URL, server.origin), {
    headers: { host: new URL(PUBLIC_URL).host },
  });

async function createMember(): Promise<Member> {
  const { id, token } = await server.addMember('member');
  const { organizationId } = await server.store.db.user.findUniqueOrThrow({ where: { id } });
  return { id, organizationId, token, browser: await signedInBrowser(server, id, PUBLIC_URL) };
}

/** An integration, and its authorization server. */
async function addIntegration(kind: Kind): Promise<{ provider: IdentityProvider; id: string }> {
  const provider = await startIdentityProvider({
    fetch: fetchDocument,
    iss: false,
    registration: kind === 'registered',
    clientIdMetadata: kind === 'metadata_document',
  });
  const upstream = await startUpstream({ oauth: provider });
  onTestFinished(async () => {
    await upstream.close();
    await provider.close();
  });
  const { issuer } = provider;
  const id = await createIntegration(server, { url: upstream.url, oauth: { issuer } });
  if (kind === 'static') await enterClient(provider, id, `${PUBLIC_URL}/oauth/callback/${id}`);
  return { provider, id };
}

async function enterClient(
  provider: IdentityProvider,
  id: string,
  uri: string,
  more: { redirectUri?: string } = {},
): Promise<void> {
  const client = { clientId: `client-of-${id}`, clientSecret: 'a secret of some length' };
  provider.addClient({ ...client, redirectUris: [uri] });
  const body = { provider: 'custom', issuer: provider.issuer, scopes: [], ...client, ...more };
  const { status, text } = await server.call('PUT', `/integrations/${id}/oauth`, { body });
  expect(status, text).toBe(200);
}

describe.each<Kind>(['static', 'registered', 'metadata_document'])(
  'with a client that is %s',
  (kind) => {
    it('the code of an honest server is sent to no other', async () => {
      const [honest, hostile] = [await addIntegration(kind), await addIntegration(kind)];
      const member = await createMember();
      const toHonest = await leave(member, pageOf(honest.id));
      const toHostile = await leave(member, pageOf(hostile.id));
      // The hostile server knows the honest client and its redirect URI: they are no secrets.
      for (const name of ['state', 'code_challenge']) {
        toHonest.searchParams.set(name, toHostile.searchParams.get(name) ?? '');
      }
      const callback = await honest.provider.approve(toHonest);
      expect(callback.searchParams.get('code')).not.toBeNull();
      const page = await arrive(member, callback);
      expect([page.status, page.title]).toEqual([
        400,
        'The response of the provider was not accepted',
      ]);
      expect(hostile.provider.requests('token')).toEqual([]);
      expect(await connectionsOf(server, member)).toEqual([]);
    });

    it('a person connects', async () => {
      const { provider, id } = await addIntegration(kind);
      const member = await createMember();
      const url = await leave(member, pageOf(id));
      expect(url.searchParams.get('redirect_uri')).toBe(`${PUBLIC_URL}/oauth/callback/${id}`);
      const page = await arrive(member, await provider.approve(url));
      expect([page.status, page.title]).toEqual([200, 'Connected as ada@example.com']);
    });
  },
);

describe('a client that was entered with the redirect URI of all integrations', () => {
  it('goes on with it, even when the configuration is sent again, until it names its own', async () => {
    const { provider, id } = await addIntegration('static');
    const { oauth } = await server.store.db.integration.findUniqueOrThrow({ where: { id } });
    const { hasOwnRedirectUri: _, ...before } = oauth as Record<string, unknown>;
    await server.store.db.integration.update({ where: { id }, data: { oauth: before as object } });
    const member = await createMember();
    await enterClient(provider, id, `${PUBLIC_URL}/oauth/callback`);
    const url = await leave(member, pageOf(id));
    expect(url.searchParams.get('redirect_uri')).toBe(`${PUBLIC_URL}/oauth/callback`);
    const page = await arrive(member, await provider.approve(url));
    expect(page.title).toBe('Connected as ada@example.com');

    const { text } = await server.call('POST', `/integrations/${id}/validate`, {});
    const own = `${PUBLIC_URL}/oauth/callback/${id}`;
    expect(JSON.parse(text).stages).toContainEqual({
      stage: 'registration',
      status: 'passed',
      code: 'shared_redirect_uri',
      milliseconds: expect.any(Number),
      hint: `Add ${own} to the OAuth app at the provider, then set it as redirectUri in the OAuth configuration.`,
    });
    await enterClient(provider, id, own, { redirectUri: own });
    const again = await leave(member, pageOf(id));
    expect(again.searchParams.get('redirect_uri')).toBe(own);
  });
});

describe('an integration without a client', () => {
  it('says which redirect URI to enter at the provider, in validate and on its page', async () => {
    const { id } = await addIntegration('impossible');
    const own = `${PUBLIC_URL}/oauth/callback/${id}`;
    const { body } = await server.call('POST', `/integrations/${id}/validate`, {});
    expect(body.message).toContain(`with the redirect URI ${own},`);
    const hints = body.stages.flatMap(({ hint }: { hint?: string }) => hint ?? []);
    expect(hints.join(' ')).toContain(own);
    const member = await createMember();
    const page = await shownOf(await member.browser.get(`${PUBLIC_URL}${pageOf(id)}`));
    expect(page.text).toContain(own);
  });
});
