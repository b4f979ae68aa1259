import { presentDestination } from '@gatehouse/contract';
import type { IntegrationSecret } from '../../generated/prisma/client.ts';
import { integrationSecretSealContext } from '../../vault/seal-contexts.ts';
import type { UnusableCredential } from '../outcome.ts';
import type { CredentialTarget } from '../target.ts';
import {
  type CredentialMode,
  type ModeDeps,
  type OpenedCredential,
  openSealed,
  readableCredential,
  unreadableReason,
} from './mode.ts';

/** `server_token`: one token of the organization for all users. */
export const serverTokenMode: CredentialMode = {
  source: 'server_token',
  stored: {
    cacheKey: ({ integrationId }) => integrationId,
    async read({ db, vault }, { organizationId, integrationId }) {
      const row = await db.integrationSecret.findUnique({
        where: { integrationId_kind: { integrationId, kind: 'server_token' }, organizationId },
      });
      return {
        value: row ? await openSecret({ db, vault }, row) : undefined,
        dependsOn: [{ kind: 'integration', id: integrationId }],
      };
    },
  },
  check,
  credential: readableCredential,
};

async function openSecret(
  { db, vault }: ModeDeps,
  row: IntegrationSecret,
): Promise<OpenedCredential> {
  const token = await openSealed(vault, row, integrationSecretSealContext(row), (data) =>
    db.integrationSecret.updateMany({ where: { id: row.id }, data }),
  );
  return {
    rowId: row.id,
    mode: 'server_token',
    destination: row.destination,
    credential: typeof token === 'string' ? { token } : token,
    expiresAt: undefined,
    connectionId: undefined,
    isRejected: false,
  };
}

/** A token that was entered for another origin counts as missing. */
function check(
  target: CredentialTarget,
  opened: OpenedCredential | undefined,
): UnusableCredential | undefined {
  if (opened === undefined || opened.destination !== presentDestination(target)) {
    return { kind: 'unavailable', reason: 'server_token_missing' };
  }
  return unreadableReason(opened);
}
