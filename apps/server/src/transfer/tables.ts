import { z } from 'zod';
import type { RawDatabase } from '../platform/database/raw-database.ts';

/** One column: its name, and its type as it is written in a cast. */
interface Column {
  readonly name: string;
  readonly type: string;
}

const columnsSchema = z.array(z.object({ name: z.string(), type: z.string() }));

/**
 * The columns of a table in their order, from PostgreSQL's own catalog; empty if there is no such
 * table.
 */
export async function columnsOf(database: RawDatabase, table: string): Promise<readonly Column[]> {
  return columnsSchema.parse(
    await database.query(
      `SELECT "attname"::text AS "name", format_type("atttypid", "atttypmod") AS "type"
       FROM "pg_attribute"
       WHERE "attrelid" = to_regclass($1::text) AND "attnum" > 0 AND NOT "attisdropped"
       ORDER BY "attnum"`,
      [quoted(table)],
    ),
  );
}

/** A name as SQL quotes it. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** The tables that are copied, each after those that its foreign keys point to. */
export const TABLES: readonly string[] = [
  'Organization',
  'User',
  'Group',
  'GroupMember',
  'Token',
  'Integration',
  'IntegrationPolicy',
  'ToolDefinition',
  'ListedEntry',
  'IntegrationSecret',
  'Connection',
  'UpstreamRegistration',
  'ConnectLink',
  'ConnectAttempt',
  'UpstreamRevocation',
  'Application',
  'Attachment',
  'AttachmentPolicy',
  'Session',
  'AggregateSession',
  'CredentialLease',
  'IdempotencyKey',
  'KeyCheck',
  'SignInLink',
  'ExternalIdentity',
  'FormerMember',
  'BrowserSession',
  'Grant',
  'Consent',
  'OauthToken',
  'OauthState',
  'DynamicClient',
  'AuditEvent',
  'AuditKey',
  'AuditBlock',
  'AuditAnchor',
  'AuditRetention',
  'UsageMinute',
  'UsageHour',
  'UsageDay',
];

/** What is left out, and why. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  CallBudget: 'What is left of limits in this minute.',
  CallSlot: 'Calls in progress, which only concern the nodes of this installation.',
  ForwardedAnswer: 'Answers on their way from one node of this installation to another.',
  SessionPresence: 'Requests in flight, which only concern the nodes of this installation.',
  Node: 'The running nodes of this installation and their keys.',
  AuditVerification: 'What this installation has found in its own audit.',
  _prisma_migrations: 'The other installation writes it when it makes the tables.',
};
