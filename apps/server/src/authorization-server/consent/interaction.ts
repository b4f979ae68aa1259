import { hash } from 'node:crypto';
import type { InteractionResults } from 'oidc-provider';
import type { Db } from '../../platform/database/store.ts';
import type { FindClient } from '../clients/oauth-client.ts';

/** The id of the row of an authorization request under way. Only the SHA-256 of its uid is stored. */
export function interactionKey(uid: string): string {
  return hash('sha256', uid, 'base64url');
}

/**
 * Writes the result of a page where oidc-provider finds it when the browser comes back. A decision, with a
 * grant or an error, is final: it is not written over.
 *
 * @returns false if the request has been decided, or has ended
 */
export async function writeResult(
  db: Db,
  uid: string,
  result: InteractionResults,
): Promise<boolean> {
  const updated = await db.$executeRaw`
    UPDATE "OauthState"
    SET "payload" = jsonb_set("payload", '{result}', ${JSON.stringify(result)}::jsonb)
    WHERE "id" = ${interactionKey(uid)} AND "expiresAt" > clock_timestamp()
      AND "payload" #> '{result,consent}' IS NULL AND "payload" #> '{result,error}' IS NULL`;
  return updated === 1;
}

/** A client that waits for a person's decision. */
interface AskingClient {
  readonly name: string;
  /** It gave itself the name, and nobody has verified it. */
  readonly isSelfNamed: boolean;
}

/**
 * Finds the client of an open authorization request by the path of its consent page, for a person who has yet to
 * sign in. The path is known to the browser in which the request began.
 *
 * @param source the address block of the person
 */
export type FindAskingClient = (path: string, source: string) => Promise<AskingClient | undefined>;

const CONSENT_PATH = /^\/oauth\/consent\/([\w-]+)(?:\/connect)?$/;

export function createFindAskingClient(db: Db, findClient: FindClient): FindAskingClient {
  return async (path, source) => {
    const [, uid] = CONSENT_PATH.exec(path) ?? [];
    const clientId = uid && (await findClientId(db, uid));
    const client = clientId ? await findClient(clientId, source) : undefined;
    return client && { name: client.name, isSelfNamed: client.application === undefined };
  };
}

async function findClientId(db: Db, uid: string): Promise<string | undefined> {
  const row = await db.oauthState.findFirst({
    where: { id: interactionKey(uid), expiresAt: { gt: new Date() } },
    select: { payload: true },
  });
  const { params } = (row?.payload ?? {}) as { params?: { client_id?: unknown } };
  return typeof params?.client_id === 'string' ? params.client_id : undefined;
}
