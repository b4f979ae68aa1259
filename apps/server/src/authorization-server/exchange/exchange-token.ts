import type { KoaContextWithOIDC } from 'oidc-provider';
import { type HandOutDeps, handOut } from '../../credentials/hand-out/hand-out.ts';
import type { FreshCredential } from '../../credentials/outcome.ts';
import type { Authenticator } from '../../identity/authenticator.ts';
import { applicationIdOf, bearerIdOf, isByOauth, type OauthCaller } from '../../identity/caller.ts';
import { includesPair } from '../../identity/resource.ts';
import type { Db } from '../../platform/database/store.ts';
import type { ClientApplication } from '../clients/oauth-client.ts';
import { oauthClientOf } from '../clients/oidc-client.ts';
import { toExchangeError } from '../oauth-errors.ts';
import { errors, eventRequestOf } from '../oidc-provider.ts';
import { ACCESS_TOKEN_TYPE, type Exchange, readExchange } from './exchange-parameters.ts';

export interface ExchangeDeps extends HandOutDeps {
  readonly authenticator: Pick<Authenticator, 'authenticate'>;
  /** @throws ProblemError `rate_limited` */
  readonly countRequest: (bearerId: string) => Promise<unknown>;
}

/** A successful response (RFC 8693 section 2.2.1), without a refresh token. */
interface ExchangeResponse {
  readonly access_token: string;
  readonly issued_token_type: string;
  readonly token_type: 'Bearer';
  readonly expires_in: number;
}

/**
 * Exchanges an access token of the client's application for the credential of a credential-only integration,
 * if that is one bearer token. The response is sent after the lease is committed, and kept nowhere.
 *
 * @throws OAuth errors, and the ProblemErrors that have no OAuth error
 */
export async function exchangeToken(
  deps: ExchangeDeps,
  ctx: KoaContextWithOIDC,
): Promise<ExchangeResponse> {
  const { client, params } = ctx.oidc;
  const application = client && oauthClientOf(client).application;
  if (application === undefined) throw new errors.UnauthorizedClient();
  const exchange = readExchange((params ?? {}) as Parameters<typeof readExchange>[0]);
  try {
    const caller = await requireSubject(deps, exchange.subjectToken, application);
    await deps.countRequest(bearerIdOf(caller));
    const { id: applicationId } = application;
    const integrationId = await findNamedIntegration(deps.store.db, applicationId, exchange);
    const pair = { applicationId, integrationId };
    if (caller.audience === undefined || !includesPair(caller.audience, pair)) {
      throw unknownTarget();
    }
    const request = eventRequestOf(ctx);
    const recipient = { caller: { ...caller, request }, secretHash: application.secretHash ?? '' };
    const { shown, lease } = await handOut(deps, recipient, integrationId, requireBearerToken);
    const left = Math.floor((lease.expiresAt.getTime() - Date.now()) / 1000);
    return {
      access_token: shown,
      issued_token_type: ACCESS_TOKEN_TYPE,
      token_type: 'Bearer',
      expires_in: Math.max(left, 1),
    };
  } catch (error) {
    throw toExchangeError(error);
  }
}

/** The caller of the subject token. @throws InvalidRequest for a token that this client may not exchange */
async function requireSubject(
  { authenticator }: ExchangeDeps,
  token: string,
  { id }: ClientApplication,
): Promise<OauthCaller> {
  const caller = await authenticator.authenticate(token);
  if (!isByOauth(caller) || applicationIdOf(caller) !== id) {
    throw new errors.InvalidRequest('subject_token was not issued to this client');
  }
  if (caller.scopes.includes('credentials')) return caller;
  throw new errors.InvalidRequest('subject_token lacks the scope credentials');
}

const BEARER = /^Bearer (\S+)$/;

/** @throws InvalidTarget for a credential that is sent in another way */
function requireBearerToken({ headers }: FreshCredential): string {
  const [header, ...others] = headers;
  const token = header?.[0] === 'authorization' ? BEARER.exec(header[1])?.[1] : undefined;
  if (token !== undefined && others.length === 0) return token;
  throw new errors.InvalidTarget(
    'the credential is not one bearer token: get it from POST /api/v1/applications/{id}/integrations/{integrationId}/credential',
  );
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * The id of the integration that a client names; a URL takes one indexed read. If both parameters are given,
 * they must agree.
 *
 * @throws InvalidTarget
 */
async function findNamedIntegration(
  db: Db,
  applicationId: string,
  { resource, audience }: Exchange,
): Promise<string> {
  const id = audience?.toLowerCase();
  if (id !== undefined && !UUID.test(id)) throw unknownTarget();
  if (resource === undefined) return id ?? '';
  const named = await findByUrl(db, applicationId, resource);
  if (id !== undefined) {
    if (named.includes(id)) return id;
    throw new errors.InvalidTarget('resource and audience do not name the same integration');
  }
  const [only, ...others] = named;
  if (only === undefined) throw unknownTarget();
  if (others.length === 0) return only;
  throw new errors.InvalidTarget(
    'several integrations have this URL: name one by its id in audience',
  );
}

/** The attached credential-only integrations with exactly this URL. At most 500 are attached. */
async function findByUrl(db: Db, applicationId: string, url: string): Promise<string[]> {
  const rows = await db.$queryRaw<{ readonly id: string }[]>`
    SELECT i."id" FROM "Attachment" a
    JOIN "Integration" i ON i."id" = a."integrationId" AND i."archivedAt" IS NULL
    WHERE a."applicationId" = ${applicationId}::uuid AND i."url" = ${url}
      AND i."category" = 'internal_mcp_credentials'`;
  return rows.map(({ id }) => id);
}

function unknownTarget(): Error {
  return new errors.InvalidTarget('the application has no such integration');
}
