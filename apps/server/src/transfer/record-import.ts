import type { ManagementEvent } from '@gatehouse/contract';
import { z } from 'zod';
import type { RawDatabase } from '../platform/database/raw-database.ts';
import { newEventRow } from '../platform/events/write-events.ts';
import { createId } from '../platform/ids.ts';
import { countRows, type Header } from './header.ts';
import { columnsOf } from './tables.ts';

const organizationsSchema = z.array(z.object({ id: z.string(), name: z.string() }));

/**
 * Records in each organization that its rows were taken from a file. A file of a version without an audit has no table
 * for it.
 *
 * @param command the one that does so
 */
export async function recordImport(
  database: RawDatabase,
  header: Header,
  command: string,
): Promise<void> {
  if ((await columnsOf(database, 'AuditEvent')).length === 0) return;
  const organizations = organizationsSchema.parse(
    await database.query('SELECT "id"::text, "name" FROM "Organization"'),
  );
  const names = new Map(organizations.map(({ id, name }) => [id, name]));
  const run = createId().id;
  for (const { id } of organizations) {
    const row = newEventRow(run, importOf(header, command, id), names);
    await database.query(
      `INSERT INTO "AuditEvent" SELECT * FROM jsonb_populate_record(NULL::"AuditEvent", $1::jsonb)`,
      [JSON.stringify(row)],
    );
  }
}

function importOf(header: Header, command: string, organizationId: string): ManagementEvent {
  const { version: formatVersion, writtenBy, writtenAt } = header;
  return {
    action: 'installation.imported',
    actor: { kind: 'operator', organizationId, via: { kind: 'command', name: command } },
    targetId: organizationId,
    ...{ formatVersion, writtenBy, writtenAt, rows: countRows(header) },
  };
}
