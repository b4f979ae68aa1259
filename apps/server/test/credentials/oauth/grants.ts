import { oauthClientDestination } from '@gatehouse/contract';
import { type IdentityProvider, startIdentityProvider } from '@gatehouse/testing';
import { onTestFinished } from 'vitest';
import { createCredentials } from '../../../src/credentials/credentials.ts';
import { discoverServer } from '../../../src/credentials/oauth/discovery/discover-server.ts';
import { parseGrant, serializeGrant } from '../../../src/credentials/oauth/grant.ts';
import { createOauthHttp } from '../../../src/credentials/oauth/http.ts';
import { obtainClient } from '../../../src/credentials/oauth/obtain-client.ts';
import {
  createRefresher,
  type RefreshOutcome,
} from '../../../src/credentials/oauth/refresh/refresher.ts';
import { storeGrant } from '../../../src/credentials/oauth/store-grant.ts';
import { oauthUpstreamOf } from '../../../src/credentials/oauth/upstream.ts';
import { type CredentialTarget, credentialTargetOf } from '../../../src/credentials/target.ts';
import { createEgress, type Egress } from '../../../src/egress/egress.ts';
import type { Integration } from '../../../src/generated/prisma/client.ts';
import type { Store } from '../../../src/platform/database/store.ts';
import { createId } from '../../../src/platform/ids.ts';
import {
  connectionSealContext,
  integrationSecretSealContext,
} from '../../../src/vault/seal-contexts.ts';
import { TESTER } from '../../support/events.ts';
import { type TestOrganization, vault } from '../fixtures.ts';

export const CLIENT = {
  clientId: 'gatehouse',
  clientSecret: 'secret-of-the-client-at-the-provider',
};
export const PUBLIC_URL = 'http://127.0.0.1:3000';

type ProviderOptions = NonNullable<Parameters<typeof startIdentityProvider>[0]>;

/** A provider that knows Gatehouse as a client. It rotates refresh tokens, and ends a grant when one is reused. */
export async function startProvider(options: ProviderOptions = {}): Promise<IdentityProvider> {
  const redirectUris = [`${PUBLIC_URL}/oauth/callback`];
  const provider = await startIdentityProvider({
    clients: [{ ...CLIENT, redirectUris }],
    accessTokenSeconds: 3600,
    ...options,
  });
  onTestFinished(() => provider.close());
  return provider;
}

export function startEgress(): Egress {
  const egress = openEgress();
  onTestFinished(() => egress.close());
  return egress;
}

function openEgress(): Egress {
  return createEgress({
    publicUrl: 'https://gatehouse.example.com',
    allowedNetworks: ['127.0.0.0/8'],
  });
}

/** What one node resolves and refreshes with. */
export function startNode(store: Store) {
  const outcomes: RefreshOutcome[] = [];
  const errors: unknown[] = [];
  const onError = (error: unknown) => errors.push(error);
  const refresher = createRefresher({
    store,
    vault,
    egress: startEgress(),
    onOutcome: (outcome) => outcomes.push(outcome),
    onError,
  });
  const credentials = createCredentials({ store, vault, refresher, onError });
  onTestFinished(() => credentials.close());
  return { credentials, refresher, outcomes, errors };
}

/** An integration of mode `oauth` with the provider as its issuer. */
export async function addOauthIntegration(
  store: Store,
  organization: TestOrganization,
  provider: IdentityProvider,
  config: object = {},
): Promise<CredentialTarget> {
  const { integrationId } = await organization.addIntegration({ authMode: 'oauth' });
  const oauth = { issuer: provider.issuer, clientId: CLIENT.clientId, scopes: [], ...config };
  const integration = await store.db.integration.update({
    where: { id: integrationId },
    data: { url: `${provider.url}/mcp`, oauth },
  });
  const { issuer: oauthIssuer, clientId: oauthClientId } = oauth;
  const destination = oauthClientDestination({ oauthIssuer, oauthClientId });
  const { organizationId } = organization;
  const kind = 'oauth_client_secret' as const;
  const row = { ...createId(), organizationId, integrationId, kind, destination };
  const sealed = vault.seal(CLIENT.clientSecret, integrationSecretSealContext(row));
  await store.db.integrationSecret.create({ data: { ...row, ...sealed } });
  return credentialTargetOf(integration);
}

/** Connects a person, with tokens that the provider issues at once. */
export async function connectPerson(
  store: Store,
  provider: IdentityProvider,
  { integrationId }: Pick<CredentialTarget, 'integrationId'>,
  userId: string,
  sub?: string,
): Promise<{ connectionId: string; accessToken: string; refreshToken: string | undefined }> {
  const integration = await store.db.integration.findUniqueOrThrow({
    where: { id: integrationId },
  });
  const { server, client } = await findClient(store, integration, userId);
  const { accessToken, refreshToken, expiresIn } = provider.issueTokens({
    clientId: client.clientId,
    ...(sub === undefined ? {} : { sub }),
  });
  const tokens = {
    accessToken,
    ...(refreshToken === undefined ? {} : { refreshToken }),
    ...(expiresIn === undefined ? {} : { expiresAt: Date.now() + expiresIn * 1000 }),
  };
  const grant = { tokens, server, client, displayName: 'person@example.com' };
  await store.transaction((tx) =>
    storeGrant(tx, { vault }, { integration, userId, actor: TESTER }, grant),
  );
  const { id } = await store.db.connection.findFirstOrThrow({ where: { integrationId, userId } });
  return { connectionId: id, accessToken, refreshToken };
}

/** The authorization server, and what Gatehouse is there. */
async function findClient(store: Store, integration: Integration, userId: string) {
  const egress = openEgress();
  try {
    const http = createOauthHttp(egress, { ...integration, userId });
    const signal = AbortSignal.timeout(10_000);
    const server = await discoverServer(http, oauthUpstreamOf(integration), signal);
    const deps = { db: store.db, vault, http, publicUrl: PUBLIC_URL };
    return { server, ...(await obtainClient(deps, integration, server, signal)) };
  } finally {
    await egress.close();
  }
}

/** Ages the tokens of an integration's connections, or of one person's, by this many milliseconds. */
export async function ageTokens(
  store: Store,
  { integrationId }: Pick<CredentialTarget, 'integrationId'>,
  milliseconds: number,
  userId?: string,
): Promise<void> {
  const where = { integrationId, ...(userId === undefined ? {} : { userId }) };
  for (const row of await store.db.connection.findMany({ where })) {
    const context = connectionSealContext(row);
    const grant = parseGrant(vault.open(row, context));
    const { expiresAt } = grant;
    const older = {
      ...grant,
      obtainedAt: grant.obtainedAt - milliseconds,
      ...(expiresAt === undefined ? {} : { expiresAt: expiresAt - milliseconds }),
    };
    const data = vault.seal(serializeGrant(older), context);
    await store.transaction(async (tx) => {
      await tx.db.connection.update({ where: { id: row.id }, data });
      tx.announce({ kind: 'connection', id: `${integrationId}:${row.userId}` });
    });
  }
}
