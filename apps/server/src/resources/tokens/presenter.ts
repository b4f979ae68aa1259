import type { CreateTokenResponse, Token as TokenBody, TokenScope } from '@gatehouse/contract';
import type { Token } from '../../generated/prisma/client.ts';

export function presentToken(token: Token): TokenBody {
  return {
    id: token.id,
    name: token.name,
    scopes: token.scopes as TokenScope[],
    createdAt: token.createdAt.toISOString(),
    expiresAt: token.expiresAt?.toISOString() ?? null,
    lastUsedAt: token.lastUsedAt?.toISOString() ?? null,
  };
}

/** The only response that contains the secret of a token. */
export function presentTokenWithSecret(token: Token, secret: string): CreateTokenResponse {
  return { token: presentToken(token), secret };
}
