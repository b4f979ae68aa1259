import { connectMcpClient, type McpEra } from '@gatehouse/harness';
import { type JsonObject, startIdentityProvider, startUpstream } from '@gatehouse/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findOwnGrant } from '../../src/credentials/want-scopes.ts';
import { key, vault } from '../credentials/fixtures.ts';
import { ageTokens } from '../credentials/oauth/grants.ts';
import { useServer } from '../support/server.ts';
import { use } from '../support/use.ts';
import {
  comeBack,
  connect,
  createIntegration,
  createMember,
  leave,
  type Member,
} from './fixture.ts';

const server = useServer({ encryptionKeys: [key] });
const provider = use(() => startIdentityProvider({ accessTokenSeconds: 3600 }));
const upstream = use(() => startUpstream({ oauth: provider }));

describe.each(['legacy', 'modern'] as const)('a person with a %s client', (era) => {
  it('is asked to connect, connects in a browser, and then reaches the upstream', async () => {
    const { member, url } = await start();
    const before = await connectMcpClient({ url, era, bearer: member.token });
    expect(await before.listTools()).toEqual(['connect_account']);
    const told = await before.callTool('connect_account');
    const link = new URL(/http:\S+\/connect\?integration=[\w-]+/.exec(told)?.[0] ?? '');
    const { title } = await connect(member, provider, link.pathname + link.search);
    expect(title).toBe('Connected as ada@example.com');
    expect(await before.callTool('whoami')).toContain('ada');
    await before.close();
  });

  it('goes on after the provider has let the access token expire', async () => {
    const { member, url, id } = await start();
    await connect(member, provider, `/connect?integration=${id}`);
    const client = await connectMcpClient({ url, era, bearer: member.token });
    expect(await client.callTool('whoami')).toContain('ada');
    await olderTokens(id);
    provider.expireAccessTokens();
    const { refreshes } = provider.counts;
    expect(await client.callTool('whoami')).toContain('ada');
    expect(provider.counts.refreshes).toBe(refreshes + 1);
    await client.close();
  });

  it('is asked to connect again once the provider has ended the grant', async () => {
    const { member, url, id } = await start();
    await connect(member, provider, `/connect?integration=${id}`);
    await expectCatalogued(id);
    const client = await connectMcpClient({ url, era, bearer: member.token });
    await olderTokens(id);
    provider.endGrant();
    await expect(client.callTool('whoami')).rejects.toThrow(`/connect?integration=${id}`);
    const { body } = await server.call('GET', `/integrations/${id}/connection`, {
      token: member.token,
    });
    expect(body.connection).toMatchObject({ connected: true, reason: 'needs_reauth' });
    await client.client.close();
  });
});

describe.each(['legacy', 'modern'] as const)('a call of a %s client that lacks scopes', (era) => {
  it('leads to the page, which asks for them and for those that the person has given', async () => {
    const { member, url, id } = await start();
    await connect(member, provider, `/connect?integration=${id}`);
    const client = await connectMcpClient({ url, era, bearer: member.token });
    const refusal = await client.callTool('write_note', { text: 'x' }).catch((error) => error);
    expect(refusal).toMatchObject({
      code: -31001,
      data: { code: 'credential_rejected', reason: 'insufficient_scope', integrationId: id },
    });
    const page = `/connect?integration=${id}`;
    expect(refusal.message).toContain(page);
    const away = await leave(member, page);
    expect(away.searchParams.get('scope')?.split(' ')).toEqual(
      expect.arrayContaining(['read', 'write']),
    );
    await comeBack(member, provider, away);
    await client.callTool('write_note', { text: 'x' });
    await client.close();
  });

  it('is answered by the upstream where an administrator has chosen the scopes', async () => {
    const { member, url, id } = await start({ scopes: ['read'] });
    await connect(member, provider, `/connect?integration=${id}`);
    const client = await connectMcpClient({ url, era, bearer: member.token });
    await expect(client.callTool('write_note', { text: 'x' })).rejects.not.toThrow('/connect');
    const away = await leave(member, `/connect?integration=${id}`);
    expect(away.searchParams.get('scope')).not.toContain('write');
    await client.client.close();
  });
});

it('the scopes that a person granted for one tool stay when they grant more for another', async () => {
  const toolScopes = { write_note: 'write', whoami: 'profile' };
  const demanding = await startUpstream({ oauth: { provider, scopes: ['read'], toolScopes } });
  onTestFinished(demanding.close);
  const { member, url, id } = await start(undefined, demanding);
  const page = `/connect?integration=${id}`;
  await connect(member, provider, page);
  const client = await connectMcpClient({ url, era: 'modern', bearer: member.token });
  await expect(client.callTool('write_note', { text: 'x' })).rejects.toThrow(page);
  await connect(member, provider, page);
  await client.callTool('write_note', { text: 'x' });
  await expect(client.callTool('whoami')).rejects.toThrow(page);
  await connect(member, provider, page);
  expect(await client.callTool('whoami')).toContain('ada');
  await client.callTool('write_note', { text: 'x' });
  await client.close();
});

it('scopes that the provider does not repeat count as granted', async () => {
  const { member, id } = await start();
  const edit = ({ scope: _scope, ...body }: JsonObject) => body;
  provider.fault('token', { kind: 'edit', edit }, { times: 1 });
  await connect(member, provider, `/connect?integration=${id}`);
  const { db } = server.store;
  const integration = await db.integration.findUniqueOrThrow({ where: { id } });
  const own = await findOwnGrant({ db, vault }, integration, member.id);
  expect(own?.grant.scopes).toEqual(expect.arrayContaining(['read']));
});

it('disconnecting ends access at once, and revokes the tokens at the provider', async () => {
  const { member, url, id } = await start();
  await connect(member, provider, `/connect?integration=${id}`);
  await expectUpstream(url, 'modern', member);
  const { token } = member;
  const path = `/integrations/${id}/connection`;
  const ended = provider.counts.grantsEnded;
  expect((await server.call('DELETE', path, { token })).status).toBe(204);
  const client = await connectMcpClient({ url, era: 'modern', bearer: token });
  expect(await client.listTools()).toEqual(['connect_account']);
  await client.close();
  await expect.poll(() => provider.counts.grantsEnded).toBe(ended + 1);
  await expect
    .poll(async () => (await server.call('GET', path, { token })).body.connection)
    .toEqual({
      connected: false,
      status: 'disconnected',
      revocation: { status: 'revoked', at: expect.any(String) },
    });
});

it('a call makes no statement once everything is known', async () => {
  const { member, url, id } = await start();
  await connect(member, provider, `/connect?integration=${id}`);
  const client = await connectMcpClient({ url, era: 'modern', bearer: member.token });
  await client.callTool('whoami');
  await client.callTool('whoami');
  await expectCatalogued(id);
  server.store.statements();
  for (let call = 0; call < 20; call += 1) await client.callTool('whoami');
  // What timers write for all calls together.
  const behind =
    /UPDATE "Session" s|"SessionPresence"|UPDATE "Token" SET "lastUsedAt"|"spokenEras" =/;
  expect(server.store.statements().filter((sql) => !behind.test(sql))).toEqual([]);
  await client.close();
});

it('no secret of the provider is readable in the database', async () => {
  const { member, id } = await start();
  await connect(member, provider, `/connect?integration=${id}`);
  const rows = await Promise.all([
    server.store.db.connection.findMany(),
    server.store.db.upstreamRegistration.findMany(),
    server.store.db.connectAttempt.findMany(),
    server.store.db.upstreamRevocation.findMany(),
    server.store.db.idempotencyKey.findMany(),
  ]);
  const written = JSON.stringify(rows, (_key, value: unknown) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value,
  );
  const secrets = provider.issuedSecrets();
  expect(secrets.length).toBeGreaterThan(3);
  expect(secrets.filter((secret) => written.includes(secret))).toEqual([]);
});

/** By the validation after connecting, which sends requests with the same tokens until then. */
async function expectCatalogued(integrationId: string): Promise<void> {
  const tools = () => server.store.db.toolDefinition.count({ where: { integrationId } });
  await expect.poll(tools, { timeout: 10_000 }).toBeGreaterThan(0);
}

async function start(
  oauth = { scopes: [] as string[] },
  { url }: { readonly url: string } = upstream,
): Promise<{ member: Member; id: string; url: string }> {
  const member = await createMember(server);
  const id = await createIntegration(server, { url, oauth });
  // It says nothing to a caller without a token.
  await server.store.db.integration.update({
    where: { id },
    data: {
      spokenEras: {
        url,
        legacy: '2025-11-25',
        modern: '2026-07-28',
        listChanged: ['tools', 'prompts', 'resources'],
      },
    },
  });
  const { body } = await server.call('POST', '/applications', {
    body: { name: 'Assistant', oauth: { type: 'public', redirectUris: ['http://localhost/cb'] } },
  });
  const applicationId: string = body.application.id;
  await server.call('POST', `/applications/${applicationId}/integrations/${id}`);
  return { member, id, url: `${server.origin}/mcp/${applicationId}/${id}` };
}

async function expectUpstream(url: string, era: McpEra, { token }: Member): Promise<void> {
  const client = await connectMcpClient({ url, era, bearer: token });
  expect(await client.listTools()).toContain('whoami');
  expect(await client.callTool('whoami')).toContain('ada');
  await client.close();
}

/** A token that was obtained just now is not refreshed because it is rejected. */
const olderTokens = (integrationId: string) => ageTokens(server.store, { integrationId }, 60_000);
