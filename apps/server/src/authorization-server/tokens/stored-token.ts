import { hash } from 'node:crypto';
import type { AdapterPayload } from 'oidc-provider';
import type { OauthToken, Prisma } from '../../generated/prisma/client.ts';
import type { OauthTokenKind } from '../../generated/prisma/enums.ts';
import { createId } from '../../platform/ids.ts';
import { readScopes } from '../scopes.ts';

/** A code or token that is to be stored. */
export interface NewOauthToken {
  readonly id: string;
  readonly kind: OauthTokenKind;
  readonly hash: Buffer;
  readonly clientId: string;
  readonly userId: string | undefined;
  readonly grantId: string | undefined;
  readonly audience: string | undefined;
  readonly scopes: readonly string[];
  readonly payload: Prisma.InputJsonObject;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** @param value the code or token itself, of which only the SHA-256 is stored */
export function newOauthToken(
  kind: OauthTokenKind,
  value: string,
  { jti: _jti, ...payload }: AdapterPayload,
): NewOauthToken {
  const { clientId = '', accountId, grantId, aud, scope, exp = 0 } = payload;
  return {
    ...createId(),
    kind,
    hash: hashOf(value),
    clientId,
    userId: accountId,
    grantId,
    audience: typeof aud === 'string' ? aud : undefined,
    scopes: readScopes(scope),
    payload: payload as Prisma.InputJsonObject,
    expiresAt: new Date(exp * 1000),
  };
}

/** The payload that oidc-provider stored. It does not learn that a token was used: see `token-writes.ts`. */
export function payloadOf(row: OauthToken, value: string): AdapterPayload {
  const exp = Math.floor(row.expiresAt.getTime() / 1000);
  return { ...(row.payload as AdapterPayload), jti: value, exp };
}

export function hashOf(value: string): Buffer<ArrayBuffer> {
  return Buffer.from(hash('sha256', value, 'buffer'));
}
