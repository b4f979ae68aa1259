import type { KoaContextWithOIDC } from 'oidc-provider';
import type { OauthToken } from '../../generated/prisma/client.ts';
import type { OauthTokenKind } from '../../generated/prisma/enums.ts';
import type { Db, Store } from '../../platform/database/store.ts';
import { tokenResponseSealContext } from '../../vault/seal-contexts.ts';
import type { Vault } from '../../vault/vault.ts';
import { oauthClientOf } from '../clients/oidc-client.ts';
import { errors } from '../oidc-provider.ts';
import { hashOf, type NewOauthToken } from './stored-token.ts';
import { type LockedBasis, lockBasis } from './token-basis.ts';

/** Seconds that a refresh token lasts without being used. */
export const REFRESH_TOKEN_TTL = 30 * 24 * 60 * 60;

/** The pending writes of a request to the token endpoint. */
export interface TokenWrites {
  /** The code or refresh token that may be used only once. */
  used: { readonly kind: OauthTokenKind; readonly hash: Buffer<ArrayBuffer> } | undefined;
  readonly issued: NewOauthToken[];
}

const writes = new WeakMap<object, TokenWrites>();

/** The pending writes of the request that oidc-provider is handling. */
export function writesOf(ctx: object): TokenWrites {
  let found = writes.get(ctx);
  if (found === undefined) {
    found = { used: undefined, issued: [] };
    writes.set(ctx, found);
  }
  return found;
}

export async function insertTokens(
  db: Db,
  tokens: readonly NewOauthToken[],
  { applicationId, organizationId, grantExpiresAt }: LockedBasis,
): Promise<void> {
  const data = tokens.map(({ userId = null, grantId = null, audience = null, ...token }) => ({
    ...token,
    hash: Buffer.from(token.hash),
    // No token outlives its grant.
    expiresAt: earlier(token.expiresAt, grantExpiresAt),
    scopes: [...token.scopes],
    organizationId,
    applicationId,
    userId,
    grantId,
    audience,
  }));
  await db.oauthToken.createMany({ data });
}

/** Who got tokens: an application for itself, or one that acts for a person. */
export interface Issued {
  readonly organizationId: string;
  readonly applicationId: string;
  readonly userId?: string | undefined;
  readonly grantId?: string | undefined;
}

export interface Committed {
  readonly body: unknown;
  /** Undefined for a retry. */
  readonly issued?: Issued;
}

/**
 * Writes what a token request issues, in one transaction: the code or refresh token is used up, the new
 * tokens exist, and the response for a retry is kept; or else nothing changes.
 *
 * @returns the response body, for a retry that of the request that used the refresh token; and who got tokens
 * @throws InvalidGrant, InvalidClientAuth
 */
export async function commitTokenRequest(
  store: Store,
  vault: Vault,
  ctx: KoaContextWithOIDC,
): Promise<Committed> {
  const { used, issued } = writesOf(ctx);
  const [first] = issued;
  const { client, params } = ctx.oidc;
  if (first === undefined || client === undefined) return { body: ctx.body };
  // The integration has been detached since the person agreed, and perhaps attached again.
  if (first.scopes.length === 0) throw new errors.InvalidTarget();
  const { application } = oauthClientOf(client);
  const { userId, grantId, clientId } = first;
  const secretHash =
    application?.clientType === 'confidential' ? (application.secretHash ?? '') : undefined;
  const request = JSON.stringify([params?.resource, params?.scope]);

  return store.transaction(async ({ db }) => {
    const basis = await lockBasis(db, { userId, grantId, clientId, secretHash });
    const usedId = used && (await use(db, used));
    if (used !== undefined && usedId === undefined) {
      return { body: await readResponse(db, vault, { ...used, request }) };
    }
    await insertTokens(db, issued, basis);
    if (used?.kind === 'refresh' && usedId !== undefined) {
      const sealed = sealResponse(vault, { id: usedId, clientId }, { request, body: ctx.body });
      await db.oauthToken.update({ where: { id: usedId }, data: sealed });
    }
    const { refresh_token: unrotated } = params ?? {};
    if (used === undefined && typeof unrotated === 'string' && basis.grantExpiresAt) {
      await prolong(db, unrotated, basis.grantExpiresAt);
    }
    const { organizationId, applicationId } = basis;
    return { body: ctx.body, issued: { organizationId, applicationId, userId, grantId } };
  });
}

function earlier(date: Date, end: Date | undefined): Date {
  return end !== undefined && end < date ? end : date;
}

/** Marks a code or refresh token as used; undefined if it was used before. */
async function use(
  db: Db,
  { hash }: NonNullable<TokenWrites['used']>,
): Promise<string | undefined> {
  const [row] = await db.$queryRaw<{ readonly id: string }[]>`
    UPDATE "OauthToken" SET "consumedAt" = clock_timestamp()
    WHERE "hash" = ${hash} AND "consumedAt" IS NULL RETURNING "id"`;
  return row?.id;
}

/** A refresh token of a confidential client stays the same: each use gives it another 30 days. */
async function prolong(db: Db, refreshToken: string, grantExpiresAt: Date): Promise<void> {
  await db.$executeRaw`
    UPDATE "OauthToken" SET "expiresAt" = LEAST(
      ${grantExpiresAt}::timestamptz,
      now() + ${REFRESH_TOKEN_TTL}::float8 * interval '1 second')
    WHERE "hash" = ${hashOf(refreshToken)} AND "kind" = 'refresh'`;
}

/** The response to the request that used the refresh token. @throws InvalidGrant if this is not the same request */
async function readResponse(
  db: Db,
  vault: Vault,
  { hash, request }: { hash: Buffer<ArrayBuffer>; request: string },
): Promise<unknown> {
  const row = await db.oauthToken.findUnique({ where: { hash } });
  const response = row && openResponse(vault, row satisfies SealedResponse);
  if (response?.request === request) return response.body;
  throw new errors.InvalidGrant('the code or refresh token has been used');
}

/** A token request, in the parameters that decide its response, and that response. */
interface TokenResponse {
  readonly request: string;
  readonly body: unknown;
}

/** The columns of a used refresh token that hold its response. */
type SealedResponse = Pick<OauthToken, 'id' | 'clientId' | 'sealed' | 'keyId'>;

export function sealResponse(
  vault: Vault,
  row: Pick<OauthToken, 'id' | 'clientId'>,
  response: TokenResponse,
): { sealed: Buffer<ArrayBuffer>; keyId: string } {
  return vault.seal(JSON.stringify(response), tokenResponseSealContext(row));
}

/** Undefined when it is not stored. @throws VaultError */
function openResponse(vault: Vault, row: SealedResponse): TokenResponse | undefined {
  const { sealed, keyId } = row;
  if (sealed === null || keyId === null) return undefined;
  return JSON.parse(vault.open({ sealed, keyId }, tokenResponseSealContext(row))) as TokenResponse;
}
