import { secretPrefixes } from '@gatehouse/contract';
import type { Db, Tx } from '../../platform/database/store.ts';
import { createId } from '../../platform/ids.ts';
import { hashSecret, newSecret } from '../../platform/secrets.ts';
import { LONGEST, SILENCE } from '../browser-sessions.ts';
import { actorOfCaller } from '../caller.ts';
import type { ConsoleCaller } from '../console-caller.ts';
import { CONSOLE_TOKEN_LIFETIME, type ConsoleToken } from '../console-tokens.ts';
import { type Resource, resourceUriOf } from '../resource.ts';

/**
 * The console as a client of the gateway. No request can authenticate as it: the id of every other client is a UUID, an
 * id with a prefix of ours, or a URL.
 */
export const CONSOLE_CLIENT = { id: 'console', name: 'The console' } as const;

/** One integration in one application, or all of an application. */
export type GatewayUrl = Exclude<Resource, { readonly kind: 'management' }>;

/** The URL and the integrations that the person may call with the token. */
interface Usable {
  readonly url: GatewayUrl;
  /** Behind the URL. The grant covers no other one, also if it is attached later. */
  readonly integrationIds: readonly string[];
}

const SCOPES = ['mcp'];

/**
 * Writes an access token of a person for one gateway URL. Each browser session has one grant for each URL, so that
 * blocking its modern session holds for the next token too. The caller has locked the person, the session and the
 * application, and decided that the person may use the URL.
 *
 * @param publicUrl our origin
 */
export async function issueConsoleAccess(
  { db, record }: Pick<Tx, 'db' | 'record'>,
  publicUrl: string,
  person: ConsoleCaller,
  usable: Usable,
): Promise<ConsoleToken> {
  const audience = resourceUriOf(publicUrl, usable.url);
  const { id: grantId, expiresAt, isNew } = await renewGrant(db, publicUrl, person, usable);
  const { organizationId, userId } = person;
  const { applicationId } = usable.url;
  if (isNew) {
    record({
      action: 'grant.created',
      actor: actorOfCaller(person),
      targetId: grantId,
      ...{ userId, applicationId, clientId: CONSOLE_CLIENT.id, scopes: SCOPES },
      integrationIds: [...usable.integrationIds],
    });
  }
  const accessToken = secretPrefixes.accessToken + newSecret();
  await db.oauthToken.create({
    data: {
      ...createId(),
      kind: 'access',
      hash: hashSecret(accessToken),
      clientId: CONSOLE_CLIENT.id,
      scopes: SCOPES,
      payload: {},
      ...{ organizationId, userId, applicationId, grantId, audience, expiresAt },
    },
  });
  return { accessToken, expiresAt };
}

interface RenewedGrant {
  readonly id: string;
  readonly expiresAt: Date;
  readonly isNew: boolean;
}

/** The grant lasts as long as its newest token, and neither lasts longer than the browser session. */
async function renewGrant(
  db: Db,
  publicUrl: string,
  { via }: ConsoleCaller,
  { url, integrationIds }: Usable,
): Promise<RenewedGrant> {
  const { id, createdAt } = createId();
  const resources = [resourceUriOf(publicUrl, url)];
  const [grant] = await db.$queryRaw<[RenewedGrant]>`
    INSERT INTO "Grant" ("id", "organizationId", "userId", "applicationId", "clientId", "redirectUri",
      "resources", "scopes", "integrationIds", "browserSessionId", "createdAt", "expiresAt")
    SELECT ${id}::uuid, s."organizationId", s."userId", ${url.applicationId}::uuid, ${CONSOLE_CLIENT.id},
      ${`${publicUrl}/console`}, ${resources}::text[], ${SCOPES}::text[],
      ${integrationIds}::uuid[], s."id", ${createdAt}, LEAST(
        now() + ${CONSOLE_TOKEN_LIFETIME}::float8 * interval '1 millisecond',
        s."lastSeenAt" + ${SILENCE}::float8 * interval '1 second',
        s."createdAt" + ${LONGEST}::float8 * interval '1 second')
    FROM "BrowserSession" s WHERE s."id" = ${via.id}::uuid
    ON CONFLICT ("browserSessionId", "resources") WHERE "browserSessionId" IS NOT NULL
    DO UPDATE SET "expiresAt" = EXCLUDED."expiresAt", "integrationIds" = EXCLUDED."integrationIds"
    RETURNING "id", "expiresAt", xmax = 0 AS "isNew"`;
  return grant;
}
