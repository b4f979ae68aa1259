import {
  type AuditKey,
  type Connection,
  type ForwardedAnswer,
  type IdempotencyKey,
  type IntegrationSecret,
  type OauthToken,
  Prisma,
  type Session,
  type UpstreamRegistration,
  type UpstreamRevocation,
} from '../generated/prisma/client.ts';
import type { Db } from '../platform/database/store.ts';
import {
  answerSealContext,
  auditKeySealContext,
  connectionSealContext,
  integrationSecretSealContext,
  registrationSealContext,
  revocationSealContext,
  sessionSealContext,
  storedResponseSealContext,
  tokenResponseSealContext,
} from './seal-contexts.ts';
import type { SealContext } from './vault.ts';

/** A row with a sealed value, and what the value is bound to. */
export interface SealedRow {
  readonly id: string;
  readonly sealed: Uint8Array;
  readonly context: SealContext;
}

/** A table with the columns `id`, `sealed` and `keyId`, which has an index. */
export interface SealedTable {
  readonly name: string;
  /**
   * Some of the rows that a key has sealed.
   *
   * @param except ids of rows that are left out
   */
  read(db: Db, keyId: string, limit: number, except: readonly string[]): Promise<SealedRow[]>;
}

/** A binding that another table holds. */
interface Joined {
  readonly columns: Prisma.Sql;
  readonly join: Prisma.Sql;
}

const NOTHING: Joined = { columns: Prisma.empty, join: Prisma.empty };

/** The scheme, host and port are all of an integration's URL that a session is bound to. */
const WITH_URL: Joined = {
  columns: Prisma.sql`, i."url"`,
  join: Prisma.sql`LEFT JOIN "Integration" i ON i."id" = r."integrationId"`,
};

const WITH_ORGANIZATION: Joined = {
  columns: Prisma.sql`, u."organizationId"`,
  join: Prisma.sql`LEFT JOIN "User" u ON u."id" = r."userId"`,
};

/**
 * Every table that holds what a person or an upstream has entrusted to the service. (`KeyCheck` is about
 * the keys themselves.) Rows move from `Connection` to `UpstreamRevocation`, so that comes later.
 */
export const SEALED_TABLES: readonly SealedTable[] = [
  table('IntegrationSecret', NOTHING, (row: IntegrationSecret) =>
    integrationSecretSealContext(row),
  ),
  table('Connection', NOTHING, (row: Connection) => connectionSealContext(row)),
  table('UpstreamRegistration', NOTHING, (row: UpstreamRegistration) =>
    registrationSealContext(row),
  ),
  table('UpstreamRevocation', NOTHING, (row: UpstreamRevocation) => revocationSealContext(row)),
  table('Session', WITH_URL, (row: Session & { url: string | null }) =>
    sessionSealContext({ ...row, destination: row.url === null ? '' : new URL(row.url).origin }),
  ),
  table('ForwardedAnswer', NOTHING, (row: ForwardedAnswer) => answerSealContext(row)),
  table('OauthToken', NOTHING, (row: OauthToken) => tokenResponseSealContext(row)),
  table(
    'IdempotencyKey',
    WITH_ORGANIZATION,
    (row: IdempotencyKey & { organizationId: string | null }) =>
      storedResponseSealContext({ ...row, organizationId: row.organizationId ?? '' }),
  ),
  table('AuditKey', NOTHING, (row: AuditKey) => auditKeySealContext(row)),
];

function table<Row extends { readonly id: string; readonly sealed: Uint8Array | null }>(
  name: string,
  { columns, join }: Joined,
  contextOf: (row: Row) => SealContext,
): SealedTable {
  return {
    name,
    async read(db, keyId, limit, except) {
      const rows = await db.$queryRaw<Row[]>`
        SELECT r.* ${columns} FROM ${nameOf({ name })} r ${join}
        WHERE r."keyId" = ${keyId} AND NOT (r."id" = ANY(${[...except]}::uuid[])) LIMIT ${limit}`;
      return rows.flatMap((row) =>
        row.sealed === null ? [] : [{ id: row.id, sealed: row.sealed, context: contextOf(row) }],
      );
    },
  };
}

/** For a statement. */
export function nameOf({ name }: Pick<SealedTable, 'name'>): Prisma.Sql {
  return Prisma.raw(`"${name}"`);
}
