import type { Db } from '../../platform/database/store.ts';
import { errors } from '../oidc-provider.ts';
import type { Exchange } from './exchange-parameters.ts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * The id of the integration that a client names; a URL takes one indexed read. If both parameters are given,
 * they must agree.
 *
 * @throws InvalidTarget
 */
export async function findNamedIntegration(
  db: Db,
  applicationId: string,
  { resource, audience }: Exchange,
): Promise<string> {
  const id = audience?.toLowerCase();
  if (id !== undefined && !UUID.test(id)) throw unknownTarget();
  if (resource === undefined) return id ?? '';
  const named = await findByUrl(db, applicationId, resource);
  if (id !== undefined) {
    if (named.includes(id)) return id;
    throw new errors.InvalidTarget('resource and audience do not name the same integration');
  }
  const [only, ...others] = named;
  if (only === undefined) throw unknownTarget();
  if (others.length === 0) return only;
  throw new errors.InvalidTarget(
    'several integrations have this URL: name one by its id in audience',
  );
}

/** The attached credential-only integrations with exactly this URL. At most 500 are attached. */
async function findByUrl(db: Db, applicationId: string, url: string): Promise<string[]> {
  const rows = await db.$queryRaw<{ readonly id: string }[]>`
    SELECT i."id" FROM "Attachment" a
    JOIN "Integration" i ON i."id" = a."integrationId" AND i."archivedAt" IS NULL
    WHERE a."applicationId" = ${applicationId}::uuid AND i."url" = ${url}
      AND i."category" = 'internal_mcp_credentials'`;
  return rows.map(({ id }) => id);
}

export function unknownTarget(): Error {
  return new errors.InvalidTarget('the application has no such integration');
}
