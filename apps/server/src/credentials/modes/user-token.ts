import { presentDestination } from '@gatehouse/contract';
import type { Connection } from '../../generated/prisma/client.ts';
import { connectionSealContext } from '../../vault/seal-contexts.ts';
import type { UnusableCredential } from '../outcome.ts';
import { parseCredential } from '../stored-credential.ts';
import type { CredentialTarget } from '../target.ts';
import {
  type CredentialMode,
  type ModeDeps,
  type OpenedCredential,
  openSealed,
  readableCredential,
  unreadableReason,
} from './mode.ts';

/** `user_token`: the credential that each user entered, stored in that user's connection. */
export const userTokenMode: CredentialMode = {
  source: 'connection',
  stored: {
    cacheKey: ({ integrationId }, userId) => `${integrationId}:${userId}`,
    async read({ db, vault }, { organizationId, integrationId }, userId) {
      const row = await db.connection.findUnique({
        where: { integrationId_userId: { integrationId, userId }, organizationId },
      });
      return {
        value: row ? await openConnection({ db, vault }, row) : undefined,
        dependsOn: [
          { kind: 'integration', id: integrationId },
          { kind: 'connection', id: `${integrationId}:${userId}` },
        ],
      };
    },
  },
  check,
  credential: readableCredential,
};

async function openConnection({ db, vault }: ModeDeps, row: Connection): Promise<OpenedCredential> {
  const text = await openSealed(vault, row, connectionSealContext(row), (data) =>
    db.connection.updateMany({ where: { id: row.id }, data }),
  );
  return {
    rowId: row.id,
    mode: row.mode,
    destination: row.destination,
    credential: typeof text === 'string' ? parseCredential(text) : text,
    expiresAt: row.expiresAt?.getTime(),
    connectionId: row.id,
    isRejected: row.reason !== null,
  };
}

/** A connection for another destination or mode stays stored but is never sent. */
function check(
  target: CredentialTarget,
  opened: OpenedCredential | undefined,
  now: number,
): UnusableCredential | undefined {
  if (opened === undefined) return { kind: 'needs_user', reason: 'connection_required' };
  if (opened.mode !== target.authMode || opened.destination !== presentDestination(target)) {
    return { kind: 'needs_user', reason: 'needs_reauth' };
  }
  const unreadable = unreadableReason(opened);
  if (unreadable !== undefined) return unreadable;
  if (opened.expiresAt !== undefined && opened.expiresAt <= now) {
    return { kind: 'needs_user', reason: 'expired' };
  }
  return undefined;
}
