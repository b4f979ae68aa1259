import type { TokenEndpointAuthMethod } from '@gatehouse/contract';
import type { Integration } from '../../generated/prisma/client.ts';
import type { Db } from '../../platform/database/store.ts';
import type { Vault } from '../../vault/vault.ts';
import { readClientSecrets } from './client-secrets.ts';
import { metadataDocumentClient, redirectUriOf } from './clients/client-metadata.ts';
import { registerClient } from './clients/register-client.ts';
import type { UpstreamServer } from './discovery/upstream-server.ts';
import type { OauthHttp } from './http.ts';
import { findRegistration, type RegistrationKey, storeRegistration } from './registrations.ts';
import { scopesToRequest } from './tokens/scopes-to-request.ts';
import { type OauthUpstream, oauthUpstreamOf, type UpstreamClient } from './upstream.ts';
import { UpstreamOauthError } from './upstream-error.ts';

export interface ObtainClientDeps {
  readonly db: Db;
  readonly vault: Vault;
  readonly http: OauthHttp;
  /** Our origin. */
  readonly publicUrl: string;
}

/**
 * Gatehouse as a client of an authorization server, and the parameters that an admin adds to token
 * requests.
 */
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
      return { client: metadataDocumentClient(deps.publicUrl, integration.id), tokenParams };
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
  const upstream = oauthUpstreamOf(integration);
  const redirectUri = redirectUriOf(deps.publicUrl, upstream);
  const key: RegistrationKey = {
    organizationId,
    integrationId,
    issuer: server.issuer,
    redirectUri,
  };
  const known = await findRegistration(deps, key);
  if (known !== undefined) return known;
  const scopes = scopesToRequest(server, upstream);
  const registration = { redirectUri, origin: deps.publicUrl, scopes };
  const registered = await registerClient(deps.http, server, registration, signal);
  await storeRegistration(deps, key, registered);
  return registered.client;
}

/**
 * How Gatehouse can be a client of the server, in order of preference; empty if it cannot without an
 * admin. A client that an admin entered is the only way: nothing takes its place. A document comes first
 * only where the server names itself in its answers: anybody may use the client of a document.
 *
 * @param ours our own origin. Servers fetch our metadata document by https only.
 */
export function clientWays(
  server: Pick<UpstreamServer, 'supportsClientIdMetadata' | 'registrationEndpoint' | 'sendsIss'>,
  { config }: Pick<OauthUpstream, 'config'>,
  ours: { readonly origin: string },
): readonly UpstreamClient['source'][] {
  if (config.clientId !== undefined) return ['static'];
  const hasDocument = server.supportsClientIdMetadata && ours.origin.startsWith('https://');
  const document = hasDocument ? (['metadata_document'] as const) : [];
  const registered = server.registrationEndpoint === undefined ? [] : (['registered'] as const);
  return server.sendsIss ? [...document, ...registered] : [...registered, ...document];
}

/**
 * The client that an admin entered.
 *
 * @throws UpstreamOauthError `no_client` without a client id
 */
export function staticClient(
  server: Pick<UpstreamServer, 'tokenEndpointAuthMethods'>,
  upstream: Pick<OauthUpstream, 'config' | 'preset'>,
  clientSecret: string | undefined,
): UpstreamClient {
  const { clientId } = upstream.config;
  if (clientId === undefined) throw new UpstreamOauthError('no_client');
  const authMethod = clientSecret ? methodOf(server, upstream) : 'none';
  return { clientId, clientSecret: clientSecret || undefined, authMethod, source: 'static' };
}

/** RFC 8414 section 2: without a list, a server takes HTTP Basic. */
function methodOf(
  { tokenEndpointAuthMethods: methods }: Pick<UpstreamServer, 'tokenEndpointAuthMethods'>,
  { config, preset }: Pick<OauthUpstream, 'config' | 'preset'>,
): TokenEndpointAuthMethod {
  const chosen = config.tokenEndpointAuthMethod ?? preset?.authMethod;
  if (chosen !== undefined) return chosen;
  const hasBasic = methods === undefined || methods.includes('client_secret_basic');
  return !hasBasic && methods.includes('client_secret_post')
    ? 'client_secret_post'
    : 'client_secret_basic';
}
