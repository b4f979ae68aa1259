import { hash } from 'node:crypto';
import type { InteractionResults } from 'oidc-provider';
import type { Db } from '../../platform/database/store.ts';

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
