import { createId } from '../../../src/platform/ids.ts';
import type { TestServer } from '../../support/server.ts';

export interface Place {
  readonly applicationId: string;
  readonly integrationId: string;
}

/** Writes the lease of a credential, by default one that lasts. */
export async function insertLease(
  server: TestServer,
  { applicationId, integrationId }: Place,
  userId: string,
  { lastsFor = 60_000 } = {},
): Promise<string> {
  const { db } = server.store;
  const attachment = await db.attachment.findFirstOrThrow({
    where: { applicationId, integrationId },
  });
  const { id, createdAt } = createId();
  const expiresAt = new Date(Date.now() + lastsFor);
  const { organizationId, id: attachmentId } = attachment;
  const times = { createdAt, expiresAt };
  const place = { organizationId, applicationId, integrationId, attachmentId };
  await db.credentialLease.create({
    data: { id, ...place, userId, tokenId: crypto.randomUUID(), ...times },
  });
  return id;
}

/** Writes many open modern sessions at once; the newest comes last. */
export async function insertSessions(
  server: TestServer,
  { applicationId, integrationId }: Place,
  count: number,
): Promise<string[]> {
  const { db } = server.store;
  const attachment = await db.attachment.findFirstOrThrow({
    where: { applicationId, integrationId },
  });
  const { organizationId, id: attachmentId } = attachment;
  const rows = Array.from({ length: count }, () => {
    const { id, createdAt } = createId();
    const place = { organizationId, applicationId, integrationId, attachmentId };
    const [userId, tokenId] = [crypto.randomUUID(), crypto.randomUUID()];
    const era = 'modern' as const;
    return { id, createdAt, ...place, userId, tokenId, era, lastActivityAt: new Date() };
  });
  for (let at = 0; at < rows.length; at += 1_000) {
    await db.session.createMany({ data: rows.slice(at, at + 1_000) });
  }
  return rows.map(({ id }) => id);
}
