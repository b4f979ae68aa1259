import type { Token as TokenBody, TokenScope } from '@gatehouse/contract';
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
