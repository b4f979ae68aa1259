import pg from 'pg';
import { records } from './fill-records.ts';
import { ID_OF, type Kind, kinds } from './ids.ts';

/** Row number n belongs to organization n mod 100, as if all of them grew at once. */
export const ORGANIZATIONS = 100;
/** The organization that was there before: the first tenth of integrations and applications is its own. */
export const EARLIEST = 100;
const FIRST_SPREAD = 100_000;
/** Integrations, and applications. */
export const ROWS = 1_000_000;

/** The organization that most queries are about. Its first user owns half of its applications. */
export const BUSY = 7;
/** All but the 60 oldest integrations and applications of this organization are archived. */
export const ARCHIVED = 0;
/** The newest application of {@link BUSY}. */
export const BUSY_APPLICATION = ROWS - ORGANIZATIONS + BUSY;
/** In the names of three integrations of {@link BUSY}. */
export const RARE_NAME = 'Zanzibar ledger';

const USERS = 30_000;
const TOKENS = 100_000;
const SESSIONS = 110_000;
const AGGREGATE_SESSIONS = 50_000;
/**
 * The rows of a list that is asked for, ten thousand with neither the smallest nor the largest ids:
 * members of {@link BUSY}, tokens and grants of its first user, sessions of the earliest application.
 */
const isListed = 'n BETWEEN 20000 AND 29999';
/** In the middle of them. */
export const MIDDLE_OF_LISTED = 25_000;
const IDEMPOTENCY_KEYS = 100_000;
const GRANTS = 100_000;
const OAUTH_STATES = 20_000;
const SIGN_INS = 20_000;
const DYNAMIC_CLIENTS = 20_000;
const CONNECTING = 20_000;
const [GROUPS, LEASES] = [20_000, 50_000];
/** Tools of each of the integrations before {@link BUSY_APPLICATION}, with two definitions each. */
const TOOLS = 1_000;
const INTEGRATIONS_WITH_TOOLS = 50;

/** Fills a migrated, empty database with a million integrations and a million applications. */
export async function fill(url: string): Promise<void> {
  await inParallel(url, [[withoutAutovacuum]]);
  await inParallel(url, [[...accounts, integrations], [applications]]);
  await inParallel(url, [
    [mergeLateEntries, attachments, ...policies, ...records],
    [
      sessions,
      presence,
      aggregateSessions,
      ...groups,
      leases,
      tools,
      listings,
      connections,
      secrets,
      idempotencyKeys,
      ...grants,
      ...signIns,
      ...connecting,
      ...upstreamOauth,
    ],
  ]);
  await inParallel(url, [['ANALYZE']]);
}

async function inParallel(url: string, tracks: readonly (readonly string[])[]): Promise<void> {
  await Promise.all(
    tracks.map(async (statements) => {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      try {
        await client.query(PREPARE);
        await client.query(ID_OF);
        for (const statement of statements) await client.query(statement);
      } finally {
        await client.end();
      }
    }),
  );
}

/** Foreign keys hold by construction: where the role may, they are not checked row by row. */
const PREPARE = `
  DO $$ BEGIN
    PERFORM set_config('session_replication_role', 'replica', false);
  EXCEPTION WHEN insufficient_privilege THEN NULL;
  END $$;
  SET synchronous_commit = off;
  SET work_mem = '128MB';
  SET maintenance_work_mem = '256MB';
  SET gin_pending_list_limit = '512MB'`;

function id(kind: Kind, number = 'n'): string {
  return `pg_temp.id_of(${kinds[kind]}, ${number})`;
}

function organizationOf(number = 'n'): string {
  return `CASE WHEN ${number} < ${FIRST_SPREAD} THEN ${EARLIEST} ELSE ${number} % ${ORGANIZATIONS} END`;
}

function organizationId(number = 'n'): string {
  return id('organization', organizationOf(number));
}

/** The first of the users of the organization that row belongs to; it has the organization's number. */
function firstUserId(number = 'n'): string {
  return id('user', organizationOf(number));
}

/** A user other than those. */
function anyUserId(number = 'n'): string {
  return id('user', `200 + ${number} % 10000`);
}

/** Statistics are those of the ANALYZE at the end, not of a moment in between. */
const withoutAutovacuum = `
  DO $$ DECLARE name text; BEGIN
    FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' LOOP
      EXECUTE format('ALTER TABLE %I SET (autovacuum_enabled = off)', name);
    END LOOP;
  END $$`;

const createdAt = `to_timestamp(1735689600 + n)`;

const archivedAt = `
  CASE WHEN n % ${ORGANIZATIONS} = ${ARCHIVED} AND n >= ${FIRST_SPREAD} + 60 * ${ORGANIZATIONS}
    OR (n / ${ORGANIZATIONS}) % 10 = 0 THEN ${createdAt} END`;

const accounts = [
  `INSERT INTO "Organization" ("id", "name", "createdAt")
  SELECT ${id('organization')}, 'Organization ' || n, ${createdAt}
  FROM generate_series(0, ${EARLIEST}) n`,

  `INSERT INTO "User" ("id", "organizationId", "email", "name", "role", "createdAt")
  SELECT ${id('user')}, ${id(
    'organization',
    `CASE WHEN ${isListed} THEN ${BUSY} WHEN n = ${EARLIEST} THEN n ELSE n % ${ORGANIZATIONS} END`,
  )},
    'user-' || n || '@example.com', 'User ' || n, 'member', ${createdAt}
  FROM generate_series(0, ${USERS} - 1) n`,

  `INSERT INTO "Token" ("id", "organizationId", "userId", "kind", "name", "hash", "scopes",
    "createdAt", "expiresAt")
  SELECT ${id('token')}, CASE WHEN ${isListed} THEN ${id('organization', `${BUSY}`)}
      ELSE ${id('organization', `n % ${ORGANIZATIONS}`)} END,
    CASE WHEN ${isListed} THEN ${id('user', `${BUSY}`)} ELSE ${anyUserId()} END, 'personal',
    'Token ' || n, sha256(n::text::bytea), '{mcp}', ${createdAt},
    CASE n % 10 WHEN 8 THEN now() - interval '60 days' WHEN 9 THEN now() + interval '1 day' END
  FROM generate_series(0, ${TOKENS} - 1) n`,
];

/**
 * One of a hundred is validated by the service, a tenth of those now. Of {@link BUSY} a tenth is invalid, and a tenth has a
 * certificate that expires within a month.
 */
const integrations = `
  INSERT INTO "Integration" ("id", "organizationId", "name", "url", "category", "authMode",
    "validateEveryMinutes", "nextValidationAt", "validationStatus", "certificateExpiresAt", "toolsReviewedAt",
    "archivedAt", "createdAt", "updatedAt")
  SELECT ${id('integration')}, ${organizationId()},
    CASE WHEN n % ${ORGANIZATIONS} = ${BUSY} AND (n / ${ORGANIZATIONS}) % 4000 = 1001
      THEN '${RARE_NAME} '
      ELSE (ARRAY['GitHub', 'Linear', 'Slack', 'Notion', 'Sentry', 'Jira', 'Figma'])[1 + (n / 100) % 7]
        || (ARRAY[' production ', ' staging ', ' team '])[1 + (n / 700) % 3] END || n,
    'https://mcp.example.com/' || n, 'gateway_remote_mcp', 'user_token',
    CASE WHEN n % 100 = 7 THEN 60 END, CASE WHEN n % 100 = 7
      THEN now() + CASE WHEN n % 1000 = 107 THEN interval '-1 hour' ELSE interval '1 hour' END END,
    (CASE WHEN n % 1000 = 107 THEN 'invalid' ELSE 'pending' END)::"ValidationStatus",
    CASE WHEN n % 1000 = 207 THEN now() + n % 30 * interval '1 day' END,
    CASE WHEN n > ${BUSY_APPLICATION - INTEGRATIONS_WITH_TOOLS} AND n <= ${BUSY_APPLICATION} THEN now() END,
    ${archivedAt}, ${createdAt}, ${createdAt}
  FROM generate_series(0, ${ROWS} - 1) n`;

/** What autovacuum does eventually: a GIN index keeps new entries in a list until then. */
const mergeLateEntries = `
  SELECT gin_clean_pending_list('"Integration_organizationId_name_trgm_idx"')`;

const applications = `
  INSERT INTO "Application" ("id", "organizationId", "ownerUserId", "name", "clientType",
    "redirectUris", "scopes", "allowedResources", "archivedAt", "createdAt", "updatedAt")
  SELECT ${id('application')}, ${organizationId()},
    CASE WHEN n < ${FIRST_SPREAD} OR (n / ${ORGANIZATIONS}) % 2 = 1 THEN ${firstUserId()}
      ELSE ${anyUserId()} END,
    'Application ' || n, 'public', '{https://app.example.com/callback}', '{mcp}', '{}',
    ${archivedAt}, ${createdAt}, ${createdAt}
  FROM generate_series(0, ${ROWS} - 1) n`;

/** One for each of the newer applications, and for all of BUSY: to the integration of the same number. */
const attachments = `
  INSERT INTO "Attachment" ("id", "organizationId", "applicationId", "integrationId", "createdAt")
  SELECT ${id('attachment')}, ${organizationId()}, ${id('application')}, ${id('integration')},
    ${createdAt}
  FROM generate_series(0, ${ROWS} - 1) n
  WHERE n >= ${ROWS} - 200000 OR n % ${ORGANIZATIONS} = ${BUSY}`;

/** Of every tenth attachment and integration. */
const policies = [
  `INSERT INTO "AttachmentPolicy" ("attachmentId", "organizationId", "rules", "groupIds")
  SELECT "id", "organizationId", '{"roles":["admin","owner"]}', ARRAY[${id('group', '(n % 20000)')}]
  FROM (SELECT "id", "organizationId", row_number() OVER () AS n FROM "Attachment") each
  WHERE n % 10 = 0`,

  `INSERT INTO "IntegrationPolicy" ("integrationId", "organizationId", "rules", "groupIds")
  SELECT ${id('integration')}, ${organizationId()}, '{"tools":{"deny":["delete_*"]}}', '{}'
  FROM generate_series(0, ${ROWS} - 1) n WHERE n % 10 = 0`,
];

/** Three members in each. */
const groups = [
  `INSERT INTO "Group" ("id", "organizationId", "name", "nameKey", "createdAt", "updatedAt")
  SELECT ${id('group')}, ${id('organization', `n % ${ORGANIZATIONS}`)}, 'Group ' || n, 'group ' || n,
    ${createdAt}, ${createdAt}
  FROM generate_series(0, ${GROUPS} - 1) n`,

  `INSERT INTO "GroupMember" ("groupId", "userId", "createdAt")
  SELECT ${id('group')}, ${id('user', '200 + (3 * n + k) % 10000')}, ${createdAt}
  FROM generate_series(0, ${GROUPS} - 1) n, generate_series(0, 2) k`,
];

/** Every second tool has an approved definition that is not its latest. */
const tools = `
  INSERT INTO "ToolDefinition" ("integrationId", "organizationId", "name", "fingerprint",
    "schemaFingerprint", "definition", "readOnly", "firstSeenAt", "lastSeenAt", "approvedAt")
  SELECT ${id('integration', 'i')}, ${organizationId('i')}, 'tool ' || lpad(n::text, 5, '0'),
    encode(sha256((n * 2 + d)::text::bytea), 'hex'), encode(sha256(n::text::bytea), 'hex'),
    repeat(md5(n::text), 40), n % 2 = 0, now(), now() - d * interval '1 hour',
    CASE WHEN d = 1 AND n % 2 = 0 THEN now() END
  FROM generate_series(${BUSY_APPLICATION - INTEGRATIONS_WITH_TOOLS + 1}, ${BUSY_APPLICATION}) i,
    generate_series(0, ${TOOLS - 1}) n, generate_series(0, 1) d`;

/** As much as an integration has at most. */
const listings = `
  INSERT INTO "ListedEntry" ("integrationId", "organizationId", "kind", "key", "definition")
  SELECT ${id('integration', 'i')}, ${organizationId('i')}, kind, 'key ' || lpad(n::text, 5, '0'),
    repeat(md5(n::text), 10)
  FROM generate_series(${BUSY_APPLICATION - INTEGRATIONS_WITH_TOOLS + 1}, ${BUSY_APPLICATION}) i,
    unnest(enum_range(NULL::"ListedKind")) kind, generate_series(0, ${TOOLS - 1}) n`;

/** A tenth is old enough to be deleted, half still lasts. */
const leases = `
  INSERT INTO "CredentialLease" ("id", "organizationId", "applicationId", "integrationId",
    "attachmentId", "userId", "tokenId", "createdAt", "expiresAt")
  SELECT ${id('lease')}, ${organizationId('a')}, ${id('application', 'a')},
    ${id('integration', 'a')}, ${id('attachment', 'a')}, ${anyUserId()}, ${id('grant')},
    ${createdAt}, now() + CASE WHEN n % 10 = 0 THEN interval '-60 days'
      WHEN n % 10 < 6 THEN interval '1 hour' ELSE interval '-1 hour' END
  FROM generate_series(0, ${LEASES} - 1) n, LATERAL (SELECT ${ROWS} - 1 - n % 5000 AS a) place`;

/**
 * The first user of each organization is connected to its 1,000 newest integrations, that of BUSY to all. One
 * in a hundred is refreshed now and then; half of these were not for days.
 */
const connections = `
  INSERT INTO "Connection" ("id", "organizationId", "integrationId", "userId", "mode",
    "destination", "sealed", "keyId", "createdAt", "refreshedAt")
  SELECT ${id('connection')}, ${organizationId()}, ${id('integration')},
    ${firstUserId()}, 'user_token', 'https://mcp.example.com', '\\x00', 'k1',
    ${createdAt}, CASE n % 200 WHEN 3 THEN now() - interval '2 days' - n * interval '1 second'
      WHEN 5 THEN now() END
  FROM generate_series(0, ${ROWS} - 1) n
  WHERE n >= ${ROWS} - 100000 OR n % ${ORGANIZATIONS} = ${BUSY}`;

const secrets = `
  INSERT INTO "IntegrationSecret" ("id", "organizationId", "integrationId", "kind", "destination",
    "sealed", "keyId", "createdAt")
  SELECT ${id('secret')}, ${organizationId()}, ${id('integration')}, 'server_token',
    'https://mcp.example.com', '\\x00', 'k1', ${createdAt}
  FROM generate_series(${ROWS} - 100000, ${ROWS} - 1) n`;

/**
 * 20 for each of the 50 newest applications of every organization, beside those of the earliest one.
 * A tenth is active, a fifth idle, a tenth silent for too long, a tenth expired two months ago, the
 * others closed, a tenth of all two months ago. Among those of the earliest application are 200 of
 * token 0, which came back after each silence; every second one was revoked then. A sixth of all is behind
 * aggregate sessions, and was only read for lists.
 */
const sessions = `
  INSERT INTO "Session" ("id", "organizationId", "applicationId", "integrationId", "attachmentId",
    "userId", "tokenId", "era", "state", "hash", "keyId", "createdAt", "lastActivityAt", "endedAt",
    "aggregateSessionId", "isUnused", "refusedUntil")
  SELECT ${id('session')}, ${organizationId('a')}, ${id('application', 'a')},
    ${id('integration', 'a')}, ${id('attachment', 'a')}, ${firstUserId('a')},
    ${id('token', 't')}, CASE WHEN t = 0 OR n % 3 = 0 THEN 'modern' ELSE 'legacy' END::"SessionEra",
    state::"SessionState", sha256(n::text::bytea), CASE state WHEN 'open' THEN 'k1' END,
    ${createdAt}, seen, CASE WHEN state IN ('closed', 'revoked') THEN seen END,
    CASE WHEN n % 6 = 1 THEN ${id('aggregateSession')} END, n % 6 = 1,
    CASE WHEN n % 60 = 7 THEN now() + interval '1 day' END
  FROM generate_series(0, ${SESSIONS} - 1) n, LATERAL (
    SELECT CASE WHEN ${isListed} THEN 0 ELSE ${ROWS} - 1 - n % 5000 END AS a,
      CASE WHEN ${isListed} AND n % 50 = 3 THEN 0 ELSE 1 + n % (${TOKENS} - 1) END AS t
  ) session, LATERAL (
    SELECT CASE WHEN n % 10 = 8 THEN 'expired' WHEN n % 10 > 3 THEN 'closed'
        WHEN t = 0 AND n % 100 = 53 THEN 'revoked' ELSE 'open' END AS state,
      now() - CASE WHEN n % 10 = 0 THEN interval '1 second' WHEN n % 10 = 3 THEN interval '30 days'
        WHEN n % 10 > 7 THEN interval '60 days' ELSE interval '10 minutes' END AS seen
  ) story`;

/** Every fourth has ended; of the others a thousand is one person's. */
const aggregateSessions = `
  INSERT INTO "AggregateSession" ("id", "organizationId", "applicationId", "userId", "tokenId",
    "hash", "hello", "createdAt", "lastUsedAt", "endedAt")
  SELECT ${id('aggregateSession')}, ${organizationId()}, ${id('application')},
    CASE WHEN n % 50 = 1 THEN ${id('user', '7')} ELSE ${anyUserId()} END, ${id('token')},
    sha256(n::text::bytea), '{}', ${createdAt}, seen, CASE WHEN n % 4 = 2 THEN seen END
  FROM generate_series(0, ${AGGREGATE_SESSIONS} - 1) n, LATERAL (
    SELECT now() - CASE WHEN n % 10 = 1 OR n % 20 = 2 THEN interval '60 days' ELSE interval '10 minutes' END AS seen
  ) story`;

const presence = `
  INSERT INTO "SessionPresence" ("sessionId", "nodeId", "applicationId", "leaseUntil")
  SELECT "id", '00000000-0000-7000-8000-000000000001'::uuid, "applicationId",
    now() + CASE "state" WHEN 'open' THEN interval '1 hour' ELSE interval '-1 hour' END
  FROM "Session" WHERE "lastActivityAt" > now() - interval '1 minute'
    OR "state" = 'closed' AND "id" < ${id('session', '20000')}`;

/** A tenth is old enough to be swept. */
const idempotencyKeys = `
  INSERT INTO "IdempotencyKey" ("id", "userId", "operation", "key", "bodyHash", "createdAt")
  SELECT ${id('idempotencyKey')}, ${anyUserId()}, 'POST /integrations', 'key-' || n,
    '\\x00', now() - CASE WHEN n % 10 = 0 THEN interval '2 days' ELSE interval '1 hour' END
  FROM generate_series(0, ${IDEMPOTENCY_KEYS} - 1) n`;

/** The application that the n-th grant is for: one of the 5,000 newest. */
const grantedId = id('application', `(${ROWS} - 1 - n % 5000)`);
const granteeId = `CASE WHEN ${isListed} THEN ${id('user', `${BUSY}`)} ELSE ${anyUserId()} END`;

/** Of the grants that are not listed a tenth has expired; each has three tokens and a remembered consent. */
const grants = [
  `INSERT INTO "Grant" ("id", "organizationId", "userId", "applicationId", "clientId",
    "redirectUri", "resources", "scopes", "integrationIds", "createdAt", "expiresAt")
  SELECT ${id('grant')}, ${organizationId()}, ${granteeId}, ${grantedId}, ${grantedId}::text,
    'https://app.example.com/callback', ARRAY['https://gatehouse.example/mcp/' || ${grantedId}],
    '{mcp}', '{}', ${createdAt},
    now() + CASE WHEN n % 10 = 0 AND NOT ${isListed} THEN interval '-1 hour' ELSE interval '1 day' END
  FROM generate_series(0, ${GRANTS} - 1) n`,

  `INSERT INTO "Consent" ("id", "organizationId", "userId", "applicationId", "clientId",
    "redirectHost", "resources", "scopes", "createdAt")
  SELECT ${id('consent')}, ${organizationId()}, ${granteeId}, ${grantedId}, ${grantedId}::text,
    'app.example.com', ARRAY['https://gatehouse.example/mcp/' || ${grantedId}], '{mcp}',
    ${createdAt}
  FROM generate_series(0, ${GRANTS} - 1) n`,

  `INSERT INTO "OauthToken" ("id", "organizationId", "kind", "hash", "applicationId", "clientId",
    "userId", "grantId", "scopes", "payload", "createdAt", "expiresAt", "consumedAt", "keyId")
  SELECT ${id('oauthToken', 'n * 3 + t')}, ${organizationId()},
    (ARRAY['access', 'refresh', 'refresh'])[t + 1]::"OauthTokenKind",
    sha256((n * 3 + t)::text::bytea), ${grantedId}, ${grantedId}::text, ${granteeId},
    ${id('grant')}, '{mcp}', '{}', ${createdAt},
    now() + CASE WHEN t = 1 THEN interval '1 day' ELSE interval '-1 hour' END,
    CASE WHEN t = 2 THEN now() - interval '1 hour' END, CASE WHEN t = 2 AND n % 10 = 0 THEN 'k1' END
  FROM generate_series(0, ${GRANTS} - 1) n, generate_series(0, 2) t`,

  `INSERT INTO "OauthState" ("id", "payload", "createdAt", "expiresAt")
  SELECT 'state-' || n, '{}', ${createdAt},
    now() + CASE WHEN n % 2 = 0 THEN interval '1 hour' ELSE interval '-1 hour' END
  FROM generate_series(0, ${OAUTH_STATES} - 1) n`,

  `INSERT INTO "DynamicClient" ("id", "name", "redirectUris", "createdAt", "lastUsedAt")
  SELECT 'dyn_' || n, 'Client ' || n, '{https://app.example.com/}', ${createdAt},
    now() - CASE WHEN n % 2 = 0 THEN interval '1 hour' ELSE interval '100 days' END
  FROM generate_series(0, ${DYNAMIC_CLIENTS} - 1) n`,
];

/** Half of the links have expired, and half of the browsers were last seen a month ago. */
const signIns = [
  `INSERT INTO "SignInLink" ("id", "organizationId", "userId", "purpose", "hash", "createdAt",
    "expiresAt")
  SELECT ${id('signInLink')}, ${organizationId()}, ${anyUserId()}, 'reset', sha256(n::text::bytea),
    ${createdAt}, now() + CASE WHEN n % 2 = 0 THEN interval '1 hour' ELSE interval '-1 hour' END
  FROM generate_series(0, ${SIGN_INS} - 1) n`,

  `INSERT INTO "BrowserSession" ("id", "organizationId", "userId", "hash", "createdAt", "lastSeenAt")
  SELECT ${id('browserSession')}, ${organizationId()}, ${anyUserId()}, sha256(n::text::bytea),
    ${createdAt}, now() - CASE WHEN n % 2 = 0 THEN interval '1 hour' ELSE interval '30 days' END
  FROM generate_series(0, ${SIGN_INS} - 1) n`,
];

/** Clients that were registered; of the revocations half are over for a month, a tenth waits. */
const upstreamOauth = [
  `INSERT INTO "UpstreamRegistration" ("id", "organizationId", "integrationId", "issuer", "redirectUri",
    "clientId", "sealed", "keyId", "createdAt")
  SELECT ${id('upstreamRegistration')}, ${organizationId()}, ${id('integration')},
    'https://issuer.example.com', 'https://gatehouse.example/oauth/callback', 'client-' || n,
    '\\x00', 'k1', ${createdAt}
  FROM generate_series(0, ${CONNECTING} - 1) n`,

  `INSERT INTO "UpstreamRevocation" ("id", "organizationId", "integrationId", "userId", "destination",
    "status", "sealed", "keyId", "createdAt", "nextAttemptAt", "finishedAt")
  SELECT ${id('upstreamRevocation')}, ${organizationId()}, ${id('integration')}, ${anyUserId()}, '',
    (CASE WHEN n % 10 = 1 THEN 'pending' ELSE 'revoked' END)::"RevocationStatus",
    CASE WHEN n % 10 = 1 THEN '\\x00'::bytea END, CASE WHEN n % 10 = 1 THEN 'k1' END, ${createdAt},
    CASE WHEN n % 10 = 1 THEN now() + interval '1 hour' END,
    CASE WHEN n % 10 <> 1 THEN now() - CASE WHEN n % 2 = 0 THEN interval '30 days' ELSE interval '1 hour' END END
  FROM generate_series(0, ${CONNECTING} - 1) n`,
];

/** Half of the links and attempts to connect have expired. */
const connecting = [
  `INSERT INTO "ConnectLink" ("id", "organizationId", "integrationId", "userId", "hash", "createdAt",
    "expiresAt")
  SELECT ${id('connectLink')}, ${organizationId()}, ${id('integration')}, ${anyUserId()},
    sha256(n::text::bytea), ${createdAt},
    now() + CASE WHEN n % 2 = 0 THEN interval '1 hour' ELSE interval '-1 hour' END
  FROM generate_series(0, ${CONNECTING} - 1) n`,

  `INSERT INTO "ConnectAttempt" ("id", "organizationId", "integrationId", "userId", "stateHash",
    "browserHash", "validationEpoch", "payload", "createdAt", "expiresAt")
  SELECT ${id('connectAttempt')}, ${organizationId()}, ${id('integration')}, ${anyUserId()},
    sha256(n::text::bytea), sha256(n::text::bytea), 0, '{}', ${createdAt},
    now() + CASE WHEN n % 2 = 0 THEN interval '1 hour' ELSE interval '-1 hour' END
  FROM generate_series(0, ${CONNECTING} - 1) n`,
];
