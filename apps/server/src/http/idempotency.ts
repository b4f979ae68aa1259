import { idempotencyKeyPattern, lifetimes } from '@gatehouse/contract';
import type { Request } from 'express';
import type { Mac } from '../credentials/mac.ts';
import type { Vault } from '../credentials/vault.ts';
import type { Actor } from '../platform/actor.ts';
import type { Db, Store, Tx } from '../platform/database/store.ts';
import { createId } from '../platform/ids.ts';
import { ProblemError } from '../platform/problem-error.ts';

/** An answer as stored for replay. `version` becomes the ETag, `secretOf` names the row whose one-time secret it holds. */
export interface Answer<Status extends number = number, Body = unknown> {
  readonly status: Status;
  readonly body: Body;
  readonly version?: number;
  readonly location?: string;
  readonly secretOf?: string;
}

export interface IdempotentCall {
  readonly actor: Actor;
  /** Method and path: a key means something only there. */
  readonly operation: string;
  readonly key: string;
  readonly body: unknown;
}

/** Runs an effect at most once per key (draft-ietf-httpapi-idempotency-key-header). */
export interface Idempotency {
  /**
   * @throws ProblemError `idempotency_key_reused`, `idempotency_in_progress`, `secret_no_longer_available`
   */
  run<Status extends number, Body>(
    tx: Tx,
    call: IdempotentCall,
    act: () => Promise<Answer<Status, Body>>,
  ): Promise<Answer<Status, Body>>;
}

/** @throws ProblemError `validation_failed` for a header that is no key. */
export function idempotencyKeyOf(req: Request): string | undefined {
  const header = req.headers['idempotency-key'];
  if (header === undefined) return undefined;
  if (typeof header === 'string' && idempotencyKeyPattern.test(header)) return header;
  throw new ProblemError(
    'validation_failed',
    'Idempotency-Key must be 1 to 255 visible ASCII characters.',
    {
      errors: [
        {
          parameter: 'Idempotency-Key',
          code: 'invalid',
          message: '1 to 255 visible ASCII characters.',
        },
      ],
    },
  );
}

export function createIdempotency(store: Store, vault: Vault, mac: Mac): Idempotency {
  const replay = async (db: Db, call: IdempotentCall): Promise<Answer | undefined> => {
    const { actor, operation, key } = call;
    const where = { userId_operation_key: { userId: actor.userId, operation, key } };
    const row = await db.idempotencyKey.findUnique({ where });
    if (!row) return undefined;
    if (row.createdAt.getTime() < Date.now() - lifetimes.idempotencyKey) {
      await db.idempotencyKey.delete({ where: { id: row.id } });
      return undefined;
    }
    const [keyId, tag] = splitTag(row.bodyHash);
    if (!mac.verify(keyId, bodyOf(call), tag)) {
      throw new ProblemError(
        'idempotency_key_reused',
        'This Idempotency-Key was used with another body. Take a new key for a new request.',
      );
    }
    if (!row.sealed || !row.keyId) {
      throw new ProblemError(
        'secret_no_longer_available',
        'The request was carried out, but the secret it answered with has since been replaced or revoked.',
      );
    }
    const text = vault.open({ keyId: row.keyId, sealed: row.sealed }, placeOf(actor, row.id));
    return JSON.parse(text) as Answer;
  };

  const remember = async (db: Db, call: IdempotentCall, answer: Answer) => {
    const { actor, operation, key } = call;
    const { id, createdAt } = createId();
    const { keyId, sealed } = vault.seal(JSON.stringify(answer), placeOf(actor, id));
    await db.idempotencyKey.create({
      data: {
        id,
        userId: actor.userId,
        operation,
        key,
        bodyHash: joinTag(mac.sign(bodyOf(call))),
        sealed,
        keyId,
        secretOf: answer.secretOf ?? null,
        createdAt,
      },
    });
  };

  return {
    async run<Status extends number, Body>(
      tx: Tx,
      call: IdempotentCall,
      act: () => Promise<Answer<Status, Body>>,
    ) {
      if (store.kind === 'postgresql') await claim(tx.db, call);
      const earlier = await replay(tx.db, call);
      if (earlier) return earlier as Answer<Status, Body>;
      const answer = await act();
      await remember(tx.db, call, answer);
      return answer;
    },
  };
}

/** Erases stored one-time secrets of a row whose secret was replaced or revoked. */
export async function eraseStoredSecrets(db: Db, secretOf: string): Promise<void> {
  await db.idempotencyKey.updateMany({
    where: { secretOf, sealed: { not: null } },
    data: { sealed: null, keyId: null },
  });
}

/** PGlite runs one transaction at a time, so only PostgreSQL can meet a key that is still running. */
async function claim(db: Db, { actor, operation, key }: IdempotentCall): Promise<void> {
  const name = JSON.stringify([actor.userId, operation, key]);
  const [row] = await db.$queryRaw<{ mine: boolean }[]>`
    SELECT pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) AS mine`;
  if (row?.mine) return;
  throw new ProblemError(
    'idempotency_in_progress',
    'A request with this Idempotency-Key is still running. Repeat it in a moment.',
    { headers: { 'Retry-After': '1' } },
  );
}

function bodyOf(call: IdempotentCall): string {
  return JSON.stringify(call.body ?? null);
}

function placeOf(actor: Actor, rowId: string) {
  return {
    organizationId: actor.organizationId,
    table: 'IdempotencyKey',
    rowId,
    column: 'sealed',
    destination: '',
  };
}

function joinTag({ keyId, tag }: { keyId: string; tag: Buffer }): Buffer<ArrayBuffer> {
  return Buffer.concat([Buffer.from([keyId.length]), Buffer.from(keyId), tag]);
}

function splitTag(bytes: Uint8Array): [keyId: string, tag: Buffer] {
  const all = Buffer.from(bytes);
  const end = 1 + (all[0] ?? 0);
  return [all.subarray(1, end).toString(), all.subarray(end)];
}
