import type { Integration } from '../../generated/prisma/client.ts';
import type { Db } from '../../platform/database/store.ts';
import type { Vault } from '../../vault/vault.ts';
import { readClientSecrets } from './client-secrets.ts';
import { redirectUriOf } from './clients/client-metadata.ts';
import { metadataDocumentClient } from './clients/client-metadata-document.ts';
import { clientWays } from './clients/client-ways.ts';
import { registerClient } from './clients/register-client.ts';
import { staticClient } from './clients/static-client.ts';
import type { UpstreamServer } from './discovery/upstream-server.ts';
import type { OauthHttp } from './http.ts';
import { findRegistration, type RegistrationKey, storeRegistration } from './registrations.ts';
import { scopesToRequest } from './tokens/scopes-to-request.ts';
import type { UpstreamClient } from './upstream.ts';
import { UpstreamOauthError } from './upstream-error.ts';
import { oauthUpstreamOf } from './upstream-of.ts';

export interface ObtainClientDeps {
  readonly db: Db;
  readonly vault: Vault;
  readonly http: OauthHttp;
  /** Our origin. */
  readonly publicUrl: string;
}

/** Gatehouse as a client of an authorization server, and what an admin wants added to token requests. */
export interface ObtainedClient {
  readonly client: UpstreamClient;
  readonly tokenParams: Readonly<Record<string, string>>;
}

/**
 * The client to connect with: the one that an admin entered, our metadata document, or one that is registered
 * now if it was not before. Two nodes may register one each at the same moment: the later row stays, and both
 * clients work.
 *
 * @throws UpstreamOauthError `no_client` when there is no way without an admin
 */
export async function obtainClient(
  deps: ObtainClientDeps,
  integration: Integration,
  server: UpstreamServer,
  signal: AbortSignal,
): Promise<ObtainedClient> {
  const upstream = oauthUpstreamOf(integration);
  const { clientSecret, tokenParams } = await readClientSecrets(deps, integration);
  const [way] = clientWays(server, upstream, { origin: deps.publicUrl });
  if (way === undefined) throw new UpstreamOauthError('no_client');
  switch (way) {
    case 'static':
      return { client: staticClient(server, upstream, clientSecret), tokenParams };
    case 'metadata_document':
      return { client: metadataDocumentClient(deps.publicUrl), tokenParams };
    case 'registered':
      return { client: await registeredClient(deps, integration, server, signal), tokenParams };
  }
}

async function registeredClient(
  deps: ObtainClientDeps,
  integration: Integration,
  server: UpstreamServer,
  signal: AbortSignal,
): Promise<UpstreamClient> {
  const { organizationId, id: integrationId } = integration;
  const redirectUri = redirectUriOf(deps.publicUrl);
  const key: RegistrationKey = {
    organizationId,
    integrationId,
    issuer: server.issuer,
    redirectUri,
  };
  const known = await findRegistration(deps, key);
  if (known !== undefined) return known;
  const scopes = scopesToRequest(server, oauthUpstreamOf(integration));
  const registration = { redirectUri, origin: deps.publicUrl, scopes };
  const registered = await registerClient(deps.http, server, registration, signal);
  await storeRegistration(deps, key, registered);
  return registered.client;
}
