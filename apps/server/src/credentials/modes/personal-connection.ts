import { presentDestination } from '@gatehouse/contract';
import type { Connection } from '../../generated/prisma/client.ts';
import { connectionSealContext } from '../../vault/seal-contexts.ts';
import { parseGrant } from '../oauth/grant.ts';
import { parseCredential, type UnusableCredential } from '../outcome.ts';
import type { CredentialTarget } from '../target.ts';
import {
  type CredentialMode,
  type ModeDeps,
  type OpenedCredential,
  openSealed,
  unreadableReason,
} from './mode.ts';

/** The credential of each person, from that person's connection, in whichever mode it was made. */
export const personalConnection: NonNullable<CredentialMode['stored']> = {
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
};

async function openConnection({ db, vault }: ModeDeps, row: Connection): Promise<OpenedCredential> {
  const text = await openSealed(vault, row, connectionSealContext(row), (data) =>
    db.connection.updateMany({ where: { id: row.id, tokenVersion: row.tokenVersion }, data }),
  );
  const { id, mode, destination, tokenVersion, refreshFailure } = row;
  const common = {
    rowId: id,
    mode,
    destination,
    expiresAt: row.expiresAt?.getTime(),
    connectionId: id,
    isRejected: row.reason === 'rejected_upstream',
  };
  if (typeof text !== 'string') return { ...common, credential: text };
  if (mode !== 'oauth') return { ...common, credential: parseCredential(text) };
  const grant = parseGrant(text);
  return {
    ...common,
    credential: { token: grant.accessToken },
    oauth: {
      grant,
      tokenVersion,
      isEnded: row.reason === 'needs_reauth',
      failure: refreshFailure ?? undefined,
      retryAt: row.retryAt?.getTime() ?? 0,
    },
  };
}

/** A connection for another destination or mode stays stored but is never sent. */
export function checkConnection(
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
