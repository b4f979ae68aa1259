import type { AuthMode } from '../../generated/prisma/enums.ts';
import { formSourceOf } from '../../http/pages/form-target.ts';
import { parseResource, type Resource } from '../../identity/resource.ts';
import type { Db } from '../../platform/database/store.ts';
import type { Applications } from '../clients/applications.ts';
import type { ClientApplication, FindClient, OauthClient } from '../clients/oauth-client.ts';
import { isRegisteredRedirectUri } from '../clients/oidc-client.ts';
import { scopesOf } from '../resources.ts';
import { readScopes } from '../scopes.ts';

/** An integration that an application wants to use. */
export interface RequestedIntegration {
  readonly id: string;
  readonly name: string;
  readonly authMode: AuthMode;
  readonly attachedAt: Date;
}

/** A client's request to a person. */
export interface ConsentRequest {
  readonly client: OauthClient;
  /** The application that the client wants to use: the client itself, unless it is a dynamic client. */
  readonly application: ClientApplication;
  readonly organizationName: string;
  /** Canonical URIs. */
  readonly resources: readonly string[];
  /** The scopes that would be granted. */
  readonly scopes: readonly string[];
  readonly integrations: readonly RequestedIntegration[];
  readonly redirectUri: string;
  /** The client wants the person to be asked even if they agreed before. */
  readonly mustAsk: boolean;
}

/** The parameters of an authorization request, as oidc-provider has checked them. */
export type AuthorizationParameters = Readonly<Record<string, unknown>>;

export interface ConsentDeps {
  readonly db: Db;
  readonly applications: Applications;
  readonly findClient: FindClient;
  readonly publicUrl: string;
}

/**
 * Undefined if the client or the application is gone, or the redirect URI is no longer the client's.
 *
 * @param source the address block of the person
 */
export async function readConsentRequest(
  deps: ConsentDeps,
  params: AuthorizationParameters,
  source: string,
): Promise<ConsentRequest | undefined> {
  const { db, publicUrl } = deps;
  const uris = [params.resource].flat().map(textOf);
  const resources = uris.flatMap((uri) => parseResource(publicUrl, uri) ?? []);
  const client = await deps.findClient(textOf(params.client_id), source);
  if (client === undefined) return undefined;
  const redirectUri = textOf(params.redirect_uri);
  if (!isRegisteredRedirectUri(client.redirectUris, redirectUri)) return undefined;
  const application = await applicationOf(deps.applications, client, resources);
  if (application === undefined) return undefined;
  const organization = await db.organization.findUniqueOrThrow({
    where: { id: application.organizationId },
  });
  const requested = readScopes(textOf(params.scope));
  const allowed = new Set(resources.flatMap((at) => scopesOf(client, application, at)));
  return {
    client,
    application,
    organizationName: organization.name,
    resources: uris,
    scopes: requested.filter((scope) => allowed.has(scope)),
    integrations: await findIntegrations(db, application.id, resources),
    redirectUri,
    mustAsk: textOf(params.prompt).split(' ').includes('consent'),
  };
}

async function applicationOf(
  applications: Applications,
  client: OauthClient,
  [first]: readonly Resource[],
): Promise<ClientApplication | undefined> {
  if (client.application !== undefined) return client.application;
  if (first === undefined || first.kind === 'management') return undefined;
  return applications.find(first.applicationId);
}

async function findIntegrations(
  db: Db,
  applicationId: string,
  resources: readonly Resource[],
): Promise<RequestedIntegration[]> {
  const isWhole = resources.some(({ kind }) => kind === 'application');
  const named = resources.flatMap((at) => (at.kind === 'pair' ? [at.integrationId] : []));
  if (!isWhole && named.length === 0) return [];
  // Bounded by the number of integrations that an application may have.
  const rows = await db.attachment.findMany({
    where: {
      applicationId,
      integration: { archivedAt: null },
      ...(isWhole ? {} : { integrationId: { in: named } }),
    },
    select: {
      createdAt: true,
      integration: { select: { id: true, name: true, authMode: true } },
    },
    orderBy: { integration: { name: 'asc' } },
  });
  return rows.map(({ createdAt, integration }) => ({ ...integration, attachedAt: createdAt }));
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The destination of a redirect URI, in words for people. */
export interface RedirectTarget {
  readonly kind: 'website' | 'this_computer' | 'installed_app';
  /** The host and port, or the scheme, that a remembered consent is bound to. */
  readonly host: string;
  /** See `formSourceOf`. */
  readonly formAction: string | undefined;
}

export function redirectTargetOf(redirectUri: string): RedirectTarget {
  const url = new URL(redirectUri);
  const { protocol, host } = url;
  const formAction = formSourceOf(url);
  if (protocol !== 'http:' && protocol !== 'https:') {
    return { kind: 'installed_app', host: protocol, formAction };
  }
  return { kind: protocol === 'https:' ? 'website' : 'this_computer', host, formAction };
}
