import { type Kind, kinds } from './ids.ts';

/** The organization with all events. */
export const AUDITED = 7;

/** Of each table of audit, usage and limits. */
const ROWS = 100_000;

const NIL = `'00000000-0000-0000-0000-000000000000'::uuid`;

/** What some rows are older than, whatever their retention. */
const LONG_AGO = `now() - CASE n % 10 WHEN 0 THEN interval '500 days' ELSE n % 1000 * interval '1 minute' END`;

const COUNTS = '"calls", "refusals", "errors", "upstreamErrors", "bytesIn", "bytesOut", "latency"';

function id(kind: Kind, number = 'n'): string {
  return `pg_temp.id_of(${kinds[kind]}, ${number})`;
}

const organization = id('organization', 'n % 100');
/** Everything that is audited happens in one organization. */
const audited = id('organization', String(AUDITED));

function usage(table: string, columns: string, values: string): string {
  return `
    INSERT INTO "${table}" ("organizationId", "applicationId", "integrationId", "at", ${columns}${COUNTS})
    SELECT ${organization}, ${id('application')}, ${id('integration')}, ${LONG_AGO}, ${values}
      1, 0, 0, 0, 0, 0, '{1,0,0,0,0,0,0,0,0,0,0,0}'
    FROM generate_series(0, ${ROWS} - 1) n`;
}

/** Answers on their way, events of changes, blocks of calls, counted calls and shared limits. */
export const records: readonly string[] = [
  `INSERT INTO "ForwardedAnswer" ("id", "organizationId", "aggregateSessionId", "sealed", "keyId", "expiresAt")
  SELECT gen_random_uuid(), ${organization}, ${id('aggregateSession', 'n % 50000')}, '\\x00', 'k1',
    ${LONG_AGO} + interval '1 minute'
  FROM generate_series(0, ${ROWS} - 1) n`,

  `INSERT INTO "AuditEvent" ("id", "organizationId", "action", "actorId", "concerns", "event", "run",
    "blockRun", "blockNumber")
  SELECT ${id('auditEvent')}, ${audited}, 'group.created', ${id('user', '200 + n % 10000')},
    ARRAY[${id('user', '200 + n % 10000')}, ${id('integration')}],
    json_build_object('id', ${id('auditEvent')}, 'kind', 'management', 'action', 'group.created',
      'actor', json_build_object('id', NULL)), ${NIL},
    ${NIL}, n
  FROM generate_series(0, ${ROWS} - 1) n`,

  `INSERT INTO "AuditBlock" ("run", "number", "id", "node", "at", "ends", "signedBy", "witnesses",
    "organizationId", "from", "to", "calls", "applications", "integrations", "people", "ended", "managed",
    "body", "hash", "signature")
  SELECT ${id('auditBlock', 'n % 100')}, n / 100 + 1, ${id('auditBlock')}, 'node', now(), false, 'key', '[]',
    ${audited}, now(), now(), 1, ARRAY[${id('application')}], ARRAY[${id('integration')}],
    ARRAY[${id('user', '200 + n % 10000')}], '{}', '[]', repeat(md5(n::text), 20), md5(n::text), 'signature'
  FROM generate_series(0, ${ROWS} - 1) n`,

  usage('UsageMinute', '', ''),
  usage('UsageHour', '"tool", "userId", "isInDay", ', `'tool', ${id('user')}, n % 2 = 0,`),
  usage('UsageDay', '"tool", "userId", ', `'tool', ${id('user')},`),

  `INSERT INTO "CallBudget" ("id", "minute", "used", "taken")
  SELECT n, ${LONG_AGO}, 1, 1 FROM generate_series(0, ${ROWS} - 1) n`,

  `INSERT INTO "CallSlot" ("id", "leases", "until")
  SELECT n, '{}', ${LONG_AGO} FROM generate_series(0, ${ROWS} - 1) n`,
];
