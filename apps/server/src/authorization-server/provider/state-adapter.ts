import { hash } from 'node:crypto';
import type { Adapter, AdapterPayload } from 'oidc-provider';
import type { Prisma } from '../../generated/prisma/client.ts';
import type { Db } from '../../platform/database/store.ts';
import { unused } from './unused-adapter.ts';

/**
 * Authorization requests under way, as oidc-provider's interactions. Whoever has the id of one can go on
 * with it, so only its SHA-256 is stored, and the URL that contains it is made anew at each read.
 *
 * @param resumeUrl the URL at which oidc-provider goes on with an interaction
 */
export function createStateAdapter(db: Db, resumeUrl: (id: string) => string): Adapter {
  return {
    ...unused,
    async upsert(id, { jti: _jti, returnTo: _returnTo, ...payload }, expiresIn = 0) {
      const row = {
        payload: payload as Prisma.InputJsonObject,
        expiresAt: new Date(Date.now() + expiresIn * 1000),
      };
      const create = { id: keyOf(id), createdAt: new Date(), ...row };
      await db.oauthState.upsert({ where: { id: keyOf(id) }, update: row, create });
    },
    async find(id) {
      const row = await db.oauthState.findFirst({
        where: { id: keyOf(id), expiresAt: { gt: new Date() } },
      });
      if (row === null) return undefined;
      return { ...(row.payload as AdapterPayload), jti: id, returnTo: resumeUrl(id) };
    },
    async destroy(id) {
      await db.oauthState.deleteMany({ where: { id: keyOf(id) } });
    },
  };
}

function keyOf(id: string): string {
  return hash('sha256', id, 'base64url');
}
