import { type ConnectionRow, connectionColumns } from '../credentials/connections.ts';
import { isPersonalMode } from '../credentials/target.ts';
import type { Integration } from '../generated/prisma/client.ts';
import type { SignedInPerson } from '../identity/browser-sessions.ts';
import type { Db } from '../platform/database/store.ts';
import type { ConnectRefusal } from './refusal-page.ts';

/** An integration and one person's connection to it. */
export interface Connectable {
  readonly integration: Integration;
  readonly connection: ConnectionRow | undefined;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Undefined when the organization has no such integration. @param id as it was sent */
export async function findConnectable(
  db: Db,
  { organizationId, userId }: SignedInPerson,
  id: string,
): Promise<Connectable | undefined> {
  const lowered = id.toLowerCase();
  if (!UUID.test(lowered)) return undefined;
  const found = await db.integration.findFirst({
    where: { id: lowered, organizationId },
    include: { connections: { where: { userId }, select: connectionColumns } },
  });
  if (found === null) return undefined;
  const { connections, ...integration } = found;
  return { integration, connection: connections[0] };
}

/** An integration of mode `oauth` that is not archived. @param id as it was sent, by a stranger */
export async function findOauthIntegration(db: Db, id: string): Promise<Integration | null> {
  if (!UUID.test(id)) return null;
  return db.integration.findFirst({ where: { id, authMode: 'oauth', archivedAt: null } });
}

/** Why this integration cannot be connected now; undefined if it can. */
export function connectRefusalOf({
  archivedAt,
  authMode,
  oauth,
}: Integration): ConnectRefusal | undefined {
  if (archivedAt !== null) return 'archived';
  if (!isPersonalMode(authMode)) return 'nothing_to_connect';
  return authMode === 'oauth' && oauth === null ? 'not_configured' : undefined;
}
