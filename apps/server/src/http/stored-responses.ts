import { lifetimes, refusalTexts } from '@gatehouse/contract';
import type { PersonActor } from '../identity/actor.ts';
import type { Db, Store, Tx } from '../platform/database/store.ts';
import { createId } from '../platform/ids.ts';
import { ProblemError } from '../platform/problem-error.ts';
import type { Mac } from '../vault/mac.ts';
import { storedResponseSealContext } from '../vault/seal-contexts.ts';
import type { SealContext, Vault } from '../vault/vault.ts';

/** The response to a write, as stored. */
export interface WriteResponse<Status extends number = number, Body = unknown> {
  readonly status: Status;
  readonly body: Body;
  /** Sent as the ETag. */
  readonly version?: number;
  /** Sent as `Location`. */
  readonly location?: string;
  /** Id of the application, token or member that the one-time secret or link in the body belongs to. */
  readonly secretOf?: string;
}

/** A request with an `Idempotency-Key`. */
export interface KeyedRequest {
  readonly actor: PersonActor;
  /** The scope of the key, with the user: method and path, if another path makes it another key. */
  readonly operation: string;
  readonly key: string;
  readonly body: unknown;
}

/** The responses to requests with an `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header). */
export interface StoredResponses {
  /**
   * Returns the response stored for the key, or runs `write` and stores its response in the same
   * transaction. If `write` throws, nothing is stored.
   *
   * @throws ProblemError `idempotency_key_reused`, `idempotency_in_progress`, `secret_no_longer_available`
   */
  replayOrRun<Status extends number, Body>(
    tx: Tx,
    request: KeyedRequest,
    write: () => Promise<WriteResponse<Status, Body>>,
  ): Promise<WriteResponse<Status, Body>>;
}

export function createStoredResponses(store: Store, vault: Vault, mac: Mac): StoredResponses {
  /**
   * The stored response, if it has not expired; deletes one that has.
   *
   * @throws ProblemError `idempotency_key_reused`, `secret_no_longer_available`
   */
  const findStored = async (db: Db, request: KeyedRequest): Promise<WriteResponse | undefined> => {
    const { actor, operation, key } = request;
    const where = { userId_operation_key: { userId: actor.userId, operation, key } };
    const row = await db.idempotencyKey.findUnique({ where });
    if (!row) return undefined;
    if (row.createdAt.getTime() < Date.now() - lifetimes.idempotencyKey) {
      await db.idempotencyKey.delete({ where: { id: row.id } });
      return undefined;
    }
    const [keyId, tag] = splitTag(row.bodyHash);
    if (!mac.verify(keyId, bodyText(request), tag)) {
      throw new ProblemError('idempotency_key_reused', refusalTexts.reusedKey);
    }
    if (!row.sealed || !row.keyId) {
      throw new ProblemError('secret_no_longer_available', refusalTexts.secretReplaced);
    }
    const text = vault.open(
      { keyId: row.keyId, sealed: row.sealed },
      sealContextOf(request, row.id),
    );
    return JSON.parse(text) as WriteResponse;
  };

  const insert = async (db: Db, request: KeyedRequest, response: WriteResponse) => {
    const { actor, operation, key } = request;
    const { id, createdAt } = createId();
    const { keyId, sealed } = vault.seal(JSON.stringify(response), sealContextOf(request, id));
    await db.idempotencyKey.create({
      data: {
        id,
        userId: actor.userId,
        operation,
        key,
        bodyHash: joinTag(mac.sign(bodyText(request))),
        sealed,
        keyId,
        secretOf: response.secretOf ?? null,
        createdAt,
      },
    });
  };

  return {
    async replayOrRun<Status extends number, Body>(
      tx: Tx,
      request: KeyedRequest,
      write: () => Promise<WriteResponse<Status, Body>>,
    ) {
      if (store.kind === 'postgresql') await claimKey(tx.db, request);
      const stored = await findStored(tx.db, request);
      if (stored) return stored as WriteResponse<Status, Body>;
      const response = await write();
      await insert(tx.db, request, response);
      return response;
    },
  };
}

/** PGlite runs one transaction at a time: only on PostgreSQL can another request with the key be running. */
async function claimKey(db: Db, { actor, operation, key }: KeyedRequest): Promise<void> {
  const name = JSON.stringify([actor.userId, operation, key]);
  const [row] = await db.$queryRaw<{ isLocked: boolean }[]>`
    SELECT pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) AS "isLocked"`;
  if (row?.isLocked) return;
  throw new ProblemError(
    'idempotency_in_progress',
    'A request with this Idempotency-Key is still running. Repeat it in a moment.',
    { headers: { 'Retry-After': '1' } },
  );
}

function bodyText({ body }: KeyedRequest): string {
  return JSON.stringify(body ?? null);
}

/** A stored response belongs to one user, one operation and one key. */
function sealContextOf({ actor, operation, key }: KeyedRequest, id: string): SealContext {
  const { organizationId, userId } = actor;
  return storedResponseSealContext({ organizationId, id, userId, operation, key });
}

/** The tag with the id of its key before it, and one byte for the length of that id. */
function joinTag({ keyId, tag }: { keyId: string; tag: Buffer }): Buffer<ArrayBuffer> {
  return Buffer.concat([Buffer.from([keyId.length]), Buffer.from(keyId), tag]);
}

function splitTag(bytes: Uint8Array): [keyId: string, tag: Buffer] {
  const all = Buffer.from(bytes);
  const end = 1 + (all[0] ?? 0);
  return [all.subarray(1, end).toString(), all.subarray(end)];
}
