import type { Tx } from '../../src/platform/database/store.ts';
import * as revocation from '../../src/sessions/revocation.ts';

/*
 * The revocations as the services make them: each with the announcement of the row that the sessions
 * depended on.
 */

export async function revokeSessionsOfApplication(tx: Tx, id: string): Promise<void> {
  await revocation.revokeSessionsOfApplication(tx, id);
  tx.announce({ kind: 'application', id });
}

export async function revokeSessionsOfIntegration(tx: Tx, id: string): Promise<void> {
  await revocation.revokeSessionsOfIntegration(tx, id);
  tx.announce({ kind: 'integration', id });
}

export async function revokeSessionsOfAttachments(
  tx: Tx,
  applicationId: string,
  attachmentIds: readonly string[],
): Promise<void> {
  await revocation.revokeSessionsOfAttachments(tx, applicationId, attachmentIds);
  tx.announce({ kind: 'application', id: applicationId });
}

export async function revokeSessionsOfUser(tx: Tx, id: string): Promise<void> {
  await revocation.revokeSessionsOfUser(tx, id);
  tx.announce({ kind: 'member', id });
}

export async function revokeSessionsOfConnection(
  tx: Tx,
  integrationId: string,
  userId: string,
): Promise<void> {
  await revocation.revokeSessionsOfConnection(tx, integrationId, userId);
  tx.announce({ kind: 'connection', id: `${integrationId}:${userId}` });
}

export async function revokeSessionsOfToken(tx: Tx, id: string): Promise<void> {
  await revocation.revokeSessionsOfToken(tx, id);
  tx.announce({ kind: 'token', id });
}
