import { nameSchema } from '@gatehouse/contract';
import { z } from 'zod';
import { LOG_LEVELS } from '../logging.ts';
import {
  bearer,
  domain,
  duration,
  encryptionKeys,
  integer,
  issuer,
  listOf,
  network,
  onOrOff,
  origin,
  postgresqlUrl,
  proxy,
} from './schemas.ts';

/** One environment variable. The configuration table and the error messages are generated from it. */
export interface Setting<T> {
  readonly name: string;
  /** Completes "expected …". */
  readonly expected: string;
  /** The default; in words where it depends on other variables. */
  readonly fallback: string;
  readonly purpose: string;
  readonly schema: z.ZodType<T, string | undefined>;
  /** The value may also come from a file, named by the variable with the suffix `_FILE`. */
  readonly isSecret: boolean;
  /** The file may be empty: the secret is needed once, and taken away. Else an empty file is a mistake. */
  readonly mayBeEmpty?: true;
}

function setting<T>(
  name: string,
  expected: string,
  schema: z.ZodType<T, string | undefined>,
  fallback: string,
  purpose: string,
): Setting<T> {
  return { name, expected, schema, fallback, purpose, isSecret: false };
}

function secret<T>(...of: Parameters<typeof setting<T>>): Setting<T> {
  return { ...setting(...of), isSecret: true };
}

function once<T>(...of: Parameters<typeof setting<T>>): Setting<T> {
  return { ...secret(...of), mayBeEmpty: true };
}

/** Ten years at most. */
const days = integer(1, 3_650);
const DAYS = 'a number of days from 1 to 3650';

/** Every variable that the server reads, by its key in `Config`. */
export const SETTINGS = {
  host: setting(
    'GATEHOUSE_HOST',
    'an address or host name to listen on',
    z
      .string()
      .regex(/^[\w.:-]+$/)
      .default('127.0.0.1'),
    '127.0.0.1',
    'The address that the server listens on.',
  ),
  port: setting(
    'GATEHOUSE_PORT',
    'a port number from 0 to 65535',
    integer(0, 65_535).default(3000),
    '3000',
    'The port that the server listens on; 0 chooses a free port.',
  ),
  publicUrl: setting(
    'GATEHOUSE_PUBLIC_URL',
    'an origin such as https://gatehouse.example.com, without a path',
    origin.optional(),
    'http://127.0.0.1:<port>; required when the host is not a loopback address or the port is 0',
    'The origin that clients use to reach the server. It is never derived from requests.',
  ),
  trustedProxies: setting(
    'GATEHOUSE_TRUSTED_PROXIES',
    'addresses, CIDRs or the names loopback, linklocal and uniquelocal, separated by commas',
    listOf(proxy).default([]),
    'not set',
    'Proxies that are trusted to set the client address in X-Forwarded-For.',
  ),
  allowedOrigins: setting(
    'GATEHOUSE_ALLOWED_ORIGINS',
    'origins such as https://console.example.com, separated by commas',
    listOf(origin).optional(),
    'the origin of GATEHOUSE_PUBLIC_URL',
    'Origins of web pages that may call the API and the gateway from a browser.',
  ),
  dataDir: setting(
    'GATEHOUSE_DATA_DIR',
    'a directory',
    z.string().default('./.gatehouse'),
    './.gatehouse',
    'Where the embedded database and its encryption key are stored. Only one process can use it at a time.',
  ),
  databaseUrl: secret(
    'DATABASE_URL',
    'a connection string such as postgresql://user:password@host:5432/database',
    postgresqlUrl.optional(),
    'the embedded database',
    'A PostgreSQL database, version 15 or later, that any number of nodes can share. Connect directly or through a session pooler: a transaction pooler does not work.',
  ),
  bootstrapToken: once(
    'GATEHOUSE_BOOTSTRAP_TOKEN',
    'at least 32 characters from A-Z a-z 0-9 . _ ~ + / -',
    bearer.optional(),
    'at a terminal, and with the embedded database on a loopback address, a generated token is printed once; otherwise a command makes the first token',
    "The first owner's personal access token. It is used only when the database is empty.",
  ),
  organizationName: setting(
    'GATEHOUSE_ORGANIZATION_NAME',
    'a name of 1 to 200 characters, without control characters',
    nameSchema.default('Default organization'),
    'Default organization',
    'The name of the organization, which people read when a client asks for their consent. It is used only when the database is empty; later `PATCH /organization` changes the name.',
  ),
  encryptionKeys: secret(
    'GATEHOUSE_ENCRYPTION_KEYS',
    'id:key pairs separated by commas, each with a different id and a key of 32 bytes in base64',
    encryptionKeys.optional(),
    'a key generated in the data directory; required with DATABASE_URL',
    'Keys for stored secrets. The first key encrypts; every key decrypts what it has encrypted.',
  ),
  allowedNetworks: setting(
    'GATEHOUSE_ALLOWED_NETWORKS',
    'addresses or CIDRs separated by commas',
    listOf(network).default([]),
    'empty: public addresses only',
    'Networks that outgoing connections may reach in addition to public addresses. Credentials are sent over plain http only to these.',
  ),
  rateLimit: setting(
    'GATEHOUSE_RATE_LIMIT',
    'a whole number of requests per minute, or 0 for no limit',
    integer(0, 1_000_000_000).default(600),
    '600',
    'Management requests per minute for each token on each node. 0 also removes the limits of failed authentications and of requests without a token.',
  ),
  metricsToken: secret(
    'GATEHOUSE_METRICS_TOKEN',
    'at least 32 characters from A-Z a-z 0-9 . _ ~ + / -',
    bearer.optional(),
    'not set',
    'A bearer token that may read /metrics, in addition to the tokens of owners and admins.',
  ),
  logLevel: setting(
    'GATEHOUSE_LOG_LEVEL',
    `one of ${LOG_LEVELS.join(', ')}`,
    z.enum(LOG_LEVELS).default('info'),
    'info',
    'The lowest severity that is logged.',
  ),
  auditCalls: setting(
    'GATEHOUSE_AUDIT_CALLS',
    'behind, sync or off',
    z.enum(['behind', 'sync', 'off']).default('behind'),
    'behind',
    'Whether the audit has gateway calls. behind: they are written once a second, and a crash loses what was not written yet. sync: a call goes upstream when the audit has it; it takes a write longer, and is refused with 503 while the database is away. off: it has management events only.',
  ),
  auditLog: setting(
    'GATEHOUSE_AUDIT_LOG',
    'on or off',
    z.string().default('off').pipe(onOrOff),
    'off',
    'Whether the log has a line for each event of the audit, also for each gateway call.',
  ),
  auditCallDays: setting(
    'GATEHOUSE_AUDIT_CALL_DAYS',
    DAYS,
    days.default(90),
    '90',
    'How many days the audit keeps calls.',
  ),
  auditChangeDays: setting(
    'GATEHOUSE_AUDIT_CHANGE_DAYS',
    DAYS,
    days.default(365),
    '365',
    'How many days the audit keeps changes.',
  ),
  usageDays: setting(
    'GATEHOUSE_USAGE_DAYS',
    DAYS,
    days.default(400),
    '400',
    'How many days usage is kept: minutes for 48 hours of them, hours for 35 days.',
  ),
  shutdownDelay: setting(
    'GATEHOUSE_SHUTDOWN_DELAY',
    'a duration such as 3s or 1m',
    duration.default(0),
    'not set',
    'How long a node keeps accepting connections after SIGTERM, while `/readyz` already answers 503. For a balancer that chooses nodes by `/readyz`: twice its check interval.',
  ),
  sessionActiveWindow: setting(
    'GATEHOUSE_SESSION_ACTIVE_WINDOW',
    'a duration such as 90s, 5m or 24h',
    duration.default(300_000),
    '5m',
    'How recent the last activity of an open session must be for it to count as active; otherwise it is idle.',
  ),
  sessionLegacyTtl: setting(
    'GATEHOUSE_SESSION_LEGACY_TTL',
    'a duration such as 90s, 5m or 24h',
    duration.default(86_400_000),
    '24h',
    'How long a session with an MCP session id may be inactive before it expires.',
  ),
  sessionModernTtl: setting(
    'GATEHOUSE_SESSION_MODERN_TTL',
    'a duration such as 90s, 5m or 24h',
    duration.default(1_800_000),
    '30m',
    'How long a session without an MCP session id (MCP 2026-07-28, or an upstream without session ids) may be inactive before it expires.',
  ),
  passwordSignIn: setting(
    'GATEHOUSE_PASSWORD_SIGN_IN',
    'on or off',
    z.string().default('on').pipe(onOrOff),
    'on',
    'Whether people may sign in by email and password. off needs GATEHOUSE_OIDC_ISSUER.',
  ),
  oidcIssuer: setting(
    'GATEHOUSE_OIDC_ISSUER',
    'the issuer URL of an OpenID Connect provider, exactly as the provider spells it',
    issuer.optional(),
    'empty: people sign in with a password only',
    'The OpenID Connect provider that people may sign in with. It must be reachable as outgoing connections are.',
  ),
  oidcClientId: setting(
    'GATEHOUSE_OIDC_CLIENT_ID',
    'the client id that the provider has given this service',
    z.string().max(500).optional(),
    'required with GATEHOUSE_OIDC_ISSUER',
    'Who this service is at the provider.',
  ),
  oidcClientSecret: secret(
    'GATEHOUSE_OIDC_CLIENT_SECRET',
    'the client secret that the provider has given this service',
    z.string().max(2000).optional(),
    'required with GATEHOUSE_OIDC_ISSUER',
    'The secret that belongs to the client id.',
  ),
  oidcAllowedDomains: setting(
    'GATEHOUSE_OIDC_ALLOWED_DOMAINS',
    'domains such as example.com, separated by commas',
    listOf(domain).default([]),
    'empty: existing members only',
    'Anyone who signs in at the provider with a verified email of one of these domains becomes a member.',
  ),
  oidcRoleClaim: setting(
    'GATEHOUSE_OIDC_ROLE_CLAIM',
    'the name of a claim in the ID token',
    z.string().max(200).optional(),
    'empty: roles are set here',
    'A claim that decides at each sign-in who is admin (its value is, or contains, admin) and who is member (everybody else). It never makes or changes owners.',
  ),
  oidcGroupsClaim: setting(
    'GATEHOUSE_OIDC_GROUPS_CLAIM',
    'the name of a claim in the ID token, or a path such as realm_access.roles',
    z.string().max(200).optional(),
    'empty: the members of groups are chosen here',
    'A claim, an array or one string, that decides at each sign-in which groups with an external id a person is in. Names that no group has are ignored.',
  ),
};
