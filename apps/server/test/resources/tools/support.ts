import { createHash } from 'node:crypto';
import type { TestServer } from '../../support/server.ts';

export interface NewToolRow {
  readonly integrationId: string;
  readonly name?: string;
  readonly fingerprint?: string;
  readonly definition?: string | null;
  readonly readOnly?: boolean;
  readonly lastSeenAt?: Date;
  readonly approvedAt?: Date | null;
  readonly approvedBy?: string | null;
}

/** 64 hexadecimal digits. */
export function fingerprintOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Writes a definition of a tool as if it had just been seen, or sees it again; its fingerprint. */
export async function insertTool(
  { store: { db } }: Pick<TestServer, 'store'>,
  { integrationId, lastSeenAt = new Date(), ...tool }: NewToolRow,
): Promise<string> {
  const { name = 'search', definition = JSON.stringify({ name }), readOnly = false } = tool;
  const { fingerprint = fingerprintOf(definition ?? name) } = tool;
  const { approvedAt = null, approvedBy = null } = tool;
  const where = { id: integrationId };
  const { organizationId } = await db.integration.findUniqueOrThrow({ where });
  const key = { integrationId, name, fingerprint };
  const schemaFingerprint = fingerprint;
  const approval = { approvedAt, approvedBy };
  const seen = { organizationId, schemaFingerprint, definition, readOnly, ...approval };
  await db.toolDefinition.upsert({
    where: { integrationId_name_fingerprint: key },
    create: { ...key, ...seen, firstSeenAt: lastSeenAt, lastSeenAt },
    update: { lastSeenAt },
  });
  return fingerprint;
}
