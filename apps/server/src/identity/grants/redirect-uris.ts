import { Prisma } from '../../generated/prisma/client.ts';

/** The port of a loopback redirect is the client's choice at each request (RFC 8252 section 7.3). */
const LOOPBACK_PORT = '^(http://(?:localhost|127\\.0\\.0\\.1|\\[::1\\])):[0-9]+';

/** Whether the redirect URI of a grant is not among these. */
export function isNotAmong(redirectUris: readonly string[]): Prisma.Sql {
  return Prisma.sql`regexp_replace("redirectUri", ${LOOPBACK_PORT}, '\\1', 'i') <> ALL(ARRAY(
      SELECT regexp_replace(u, ${LOOPBACK_PORT}, '\\1', 'i')
      FROM unnest(${[...redirectUris]}::text[]) u))`;
}
