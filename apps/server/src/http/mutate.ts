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
   * Refuses a body that is wrong whatever is stored. Runs before the transaction, so that it precedes
   * a 404, and so that no schema is compiled inside a transaction.
   */
  readonly check?: () => void;
  /** Refuses an unknown resource before a stored response is looked up. */
  readonly exists?: (reader: { readonly db: Db; readonly actor: Actor }) => Promise<unknown>;
  /** The whole write, in the transaction that also stores the response. */
  readonly act: (mutation: Mutation) => Promise<WriteResponse<Status, Body>>;
}

/** Runs one write in one transaction, replayed by its `Idempotency-Key` where the route allows it. */
export async function mutate<Status extends number, Body>(
  { store, responses }: MutateDeps,
  req: Request,
  res: Response,
  { check, exists, act }: MutateSteps<Status, Body>,
): Promise<{ status: Status; body: Body }> {
  check?.();
  const actor = actorOf(res);
  const precondition = preconditionOf(req.headers['if-match']);
  const key = contextOf(res).route?.idempotency === 'key' ? idempotencyKeyOf(req) : undefined;
  const response = await store.transaction(async (tx) => {
    const mutation = { tx, actor, precondition };
    if (key === undefined) return act(mutation);
    await exists?.({ db: tx.db, actor });
    const request = {
      actor,
      operation: operationOf(req, res),
      key,
      body: sortKeys(req.body ?? {}),
    };
    return responses.replayOr(tx, request, () => act(mutation));
  });
  if (response.version !== undefined) setEtag(res, response.version);
  if (response.location !== undefined) res.setHeader('Location', response.location);
  return { status: response.status, body: response.body };
}

/** Method and path by the route table, with ids in lower case: one operation has one spelling. */
function operationOf(req: Request, res: Response): string {
  const path = contextOf(res).route?.path.replaceAll(/:(\w+)/g, (_, name: string) =>
    String(req.params[name]).toLowerCase(),
  );
  return `${req.method} ${req.baseUrl}${path}`;
}
