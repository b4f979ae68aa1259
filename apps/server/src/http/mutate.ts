import type { Request, Response } from 'express';
import type { Actor } from '../identity/actor.ts';
import type { Mutation } from '../identity/mutation.ts';
import type { Db, Store } from '../platform/database/store.ts';
import { actorOf, contextOf } from './context.ts';
import { preconditionOf, setEtag } from './etag.ts';
import { idempotencyKeyOf } from './idempotency-key.ts';
import { sortKeys } from './sort-keys.ts';
import type { StoredResponses, WriteResponse } from './stored-responses.ts';

export interface MutateDeps {
  readonly store: Store;
  readonly responses: StoredResponses;
}

export interface MutateSteps<Status extends number, Body> {
  /**
   * Refuses a body that is wrong in itself. Runs before the transaction, so that it precedes a 404,
   * and so that a schema in the body is not compiled inside the
   * transaction.
   */
  readonly check?: () => void;
  /**
   * Only with a key: refuses an unknown resource, so that a stored response is not replayed for one
   * that the caller can no longer see. Without a key `act` does it.
   */
  readonly requireResource?: (scope: {
    readonly db: Db;
    readonly actor: Actor;
  }) => Promise<unknown>;
  /**
   * The whole write, in the transaction that also stores the response. It may run up to four times, if
   * the transaction is retried: no effects outside it.
   */
  readonly act: (mutation: Mutation) => Promise<WriteResponse<Status, Body>>;
}

/**
 * Runs one write in one transaction, replayed by its `Idempotency-Key` where the route allows it.
 *
 * @throws ProblemError `validation_failed` for an invalid key, `database_unavailable`, those of the
 * steps, and with a key those of {@link StoredResponses}
 */
export async function mutate<Status extends number, Body>(
  { store, responses }: MutateDeps,
  req: Request,
  res: Response,
  { check, requireResource, act }: MutateSteps<Status, Body>,
): Promise<{ status: Status; body: Body }> {
  check?.();
  const actor = actorOf(res);
  const precondition = preconditionOf(req.headers['if-match']);
  const key = contextOf(res).route?.idempotency === 'key' ? idempotencyKeyOf(req) : undefined;
  const response = await store.transaction(async (tx) => {
    const mutation = { tx, actor, precondition };
    if (key === undefined) return act(mutation);
    await requireResource?.({ db: tx.db, actor });
    const request = {
      actor,
      methodAndPath: methodAndPathOf(req, res),
      key,
      body: sortKeys(req.body ?? {}),
    };
    return responses.replayOrRun(tx, request, () => act(mutation));
  });
  if (response.version !== undefined) setEtag(res, response.version);
  if (response.location !== undefined) res.setHeader('Location', response.location);
  return { status: response.status, body: response.body };
}

/** Method and path with ids in lower case: two spellings of an id are one request. */
function methodAndPathOf(req: Request, res: Response): string {
  const path = contextOf(res).route?.path.replaceAll(/:(\w+)/g, (_, name: string) =>
    String(req.params[name]).toLowerCase(),
  );
  return `${req.method} ${req.baseUrl}${path}`;
}
