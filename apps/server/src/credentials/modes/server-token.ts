import { presentDestination } from '@gatehouse/contract';
import { integrationSecretSealContext } from '../../vault/seal-contexts.ts';
import type { UnusableCredential } from '../outcome.ts';
import type { CredentialTarget } from '../target.ts';
import { type CredentialMode, type OpenedCredential, tryOpen } from './mode.ts';

/** `server_token`: one token of the organization for all users. */
export const serverTokenMode: CredentialMode = {
  source: 'server_token',
  stored: {
    cacheKey: ({ integrationId }) => integrationId,
    async read({ db, vault }, { organizationId, integrationId }) {
      const row = await db.integrationSecret.findUnique({
        where: { integrationId_kind: { integrationId, kind: 'server_token' }, organizationId },
      });
      const token = row ? tryOpen(vault, row, integrationSecretSealContext(row)) : undefined;
      return {
        value: row
          ? {
              mode: 'server_token',
              destination: row.destination,
              credential: token === undefined ? undefined : { token },
              expiresAt: undefined,
              connectionId: undefined,
              isRejected: false,
            }
          : undefined,
        dependsOn: [{ kind: 'integration', id: integrationId }],
      };
    },
  },
  check,
  credential: (opened) => opened?.credential,
};

/** A token that was entered for another origin counts as missing. */
function check(
  target: CredentialTarget,
  opened: OpenedCredential | undefined,
): UnusableCredential | undefined {
  if (opened === undefined || opened.destination !== presentDestination(target)) {
    return { kind: 'unavailable', reason: 'server_token_missing' };
  }
  if (opened.credential === undefined) return { kind: 'unavailable', reason: 'decryption_failed' };
  return undefined;
}
