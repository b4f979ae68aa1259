import { z } from 'zod';
import { LOG_LEVELS } from '../logging.ts';
import {
  bearer,
  duration,
  encryptionKeys,
  integer,
  listOf,
  network,
  origin,
  postgresqlUrl,
  proxy,
} from './schemas.ts';

/** One environment variable: the documentation's table and the error messages are made from it. */
export interface Setting<T> {
  readonly name: string;
  /** Completes "expected …". */
  readonly expected: string;
  /** What is assumed when it is not set; in words where it depends on others. */
  readonly fallback: string;
  readonly purpose: string;
  readonly schema: z.ZodType<T, string | undefined>;
}

function setting<T>(
  name: string,
  expected: string,
  schema: z.ZodType<T, string | undefined>,
  fallback: string,
  purpose: string,
): Setting<T> {
  return { name, expected, schema, fallback, purpose };
}

/** Every variable the server reads, under the key it has in `Config`. */
export const SETTINGS = {
  host: setting(
    'GATEHOUSE_HOST',
    'an address or host name to listen on',
    z
      .string()
      .regex(/^[\w.:-]+$/)
      .default('127.0.0.1'),
    '127.0.0.1',
    'Where the server listens.',
  ),
  port: setting(
    'GATEHOUSE_PORT',
    'a port number from 0 to 65535',
    integer(0, 65_535).default(3000),
    '3000',
    'The port it listens on; 0 takes any free one.',
  ),
  publicUrl: setting(
    'GATEHOUSE_PUBLIC_URL',
    'an origin such as https://gatehouse.example.com, without a path',
    origin.optional(),
    'http://127.0.0.1:<port>; required when the host is not loopback, or the port is 0',
    'Under which origin clients reach the server. It is never guessed from requests.',
  ),
  trustedProxies: setting(
    'GATEHOUSE_TRUSTED_PROXIES',
    'addresses, CIDRs, or loopback, linklocal, uniquelocal, separated by commas',
    listOf(proxy).default([]),
    'none',
    'Proxies whose X-Forwarded-For tells the client address.',
  ),
  allowedOrigins: setting(
    'GATEHOUSE_ALLOWED_ORIGINS',
    'origins such as https://console.example.com, separated by commas',
    listOf(origin).optional(),
    'the origin of GATEHOUSE_PUBLIC_URL',
    'Web origins that may call the API and the gateway from a browser.',
  ),
  dataDir: setting(
    'GATEHOUSE_DATA_DIR',
    'a directory',
    z.string().default('./.gatehouse'),
    './.gatehouse',
    'Where the embedded database and its encryption key lie. One process at a time.',
  ),
  databaseUrl: setting(
    'DATABASE_URL',
    'a connection string such as postgresql://user:password@host:5432/database',
    postgresqlUrl.optional(),
    'the embedded database',
    'PostgreSQL 15 or later, for any number of nodes. Sessions are needed: no transaction pooler in between.',
  ),
  bootstrapToken: setting(
    'GATEHOUSE_BOOTSTRAP_TOKEN',
    'at least 32 characters out of A-Z a-z 0-9 . _ ~ + / -',
    bearer.optional(),
    'a generated token, printed once',
    "The first owner's personal access token; used only when the database is empty.",
  ),
  encryptionKeys: setting(
    'GATEHOUSE_ENCRYPTION_KEYS',
    'id:key pairs separated by commas, each key 32 bytes in base64, each id once',
    encryptionKeys.optional(),
    'a key generated into the data directory; required with DATABASE_URL',
    'Keys that seal stored secrets. The first seals, all of them open.',
  ),
  allowedNetworks: setting(
    'GATEHOUSE_ALLOWED_NETWORKS',
    'addresses or CIDRs separated by commas',
    listOf(network).default([]),
    'none: public addresses only',
    'Networks that outgoing connections may reach although they are not public.',
  ),
  rateLimit: setting(
    'GATEHOUSE_RATE_LIMIT',
    'a whole number of requests a minute, 0 for no limit',
    integer(0, 1_000_000_000).default(600),
    '600',
    'Management requests a minute for one token on one node; 0 also lifts the limit of 20 failed authentications a minute and address.',
  ),
  metricsToken: setting(
    'GATEHOUSE_METRICS_TOKEN',
    'at least 32 characters out of A-Z a-z 0-9 . _ ~ + / -',
    bearer.optional(),
    'none',
    'A bearer token that may read /metrics, beside those of owners and admins.',
  ),
  logLevel: setting(
    'GATEHOUSE_LOG_LEVEL',
    `one of ${LOG_LEVELS.join(', ')}`,
    z.enum(LOG_LEVELS).default('info'),
    'info',
    'The least severe messages that are logged.',
  ),
  sessionActiveWindow: setting(
    'GATEHOUSE_SESSION_ACTIVE_WINDOW',
    'a duration such as 90s, 5m or 24h',
    duration.default(300_000),
    '5m',
    'A session with activity within it counts as active, an older open one as idle.',
  ),
  sessionLegacyTtl: setting(
    'GATEHOUSE_SESSION_LEGACY_TTL',
    'a duration such as 90s, 5m or 24h',
    duration.default(86_400_000),
    '24h',
    'Silence after which a session of an MCP client up to 2025-11-25 expires.',
  ),
  sessionModernTtl: setting(
    'GATEHOUSE_SESSION_MODERN_TTL',
    'a duration such as 90s, 5m or 24h',
    duration.default(1_800_000),
    '30m',
    'Silence after which a session of an MCP client of 2026-07-28 or later expires.',
  ),
};
