import type { Request, Response } from 'express';
import type { Db, Store, Tx } from '../platform/database/store.ts';
import { actorOf, contextOf } from './context.ts';
import { setEtag } from './etag.ts';
import { type Answer, type Idempotency, idempotencyKeyOf } from './idempotency.ts';
import { inKeyOrder } from './key-order.ts';

export interface MutateDeps {
  readonly store: Store;
  readonly idempotency: Idempotency;
}

export interface Mutation<Status extends number, Body> {
  /** Refuses an unknown resource before a stored answer is looked for. */
  readonly exists?: (db: Db) => Promise<unknown>;
  /** The whole effect, in the transaction that also stores the answer. */
  readonly act: (tx: Tx) => Promise<Answer<Status, Body>>;
}

/** One write: one transaction, replayed by its `Idempotency-Key` where the route allows it. */
export async function mutate<Status extends number, Body>(
  { store, idempotency }: MutateDeps,
  req: Request,
  res: Response,
  { exists, act }: Mutation<Status, Body>,
): Promise<{ status: Status; body: Body }> {
  const actor = actorOf(res);
  const key = contextOf(res).route?.idempotency === 'key' ? idempotencyKeyOf(req) : undefined;
  const answer = await store.transaction(async (tx) => {
    if (key === undefined) return act(tx);
    await exists?.(tx.db);
    const call = { actor, operation: operationOf(req, res), key, body: inKeyOrder(req.body ?? {}) };
    return idempotency.run(tx, call, () => act(tx));
  });
  if (answer.version !== undefined) setEtag(res, answer.version);
  if (answer.location !== undefined) res.setHeader('Location', answer.location);
  return { status: answer.status, body: answer.body };
}

/** Method and path as the route has it, with the ids in lower case: however they were written. */
function operationOf(req: Request, res: Response): string {
  const path = contextOf(res).route?.path.replaceAll(/:(\w+)/g, (_, name: string) =>
    String(req.params[name]).toLowerCase(),
  );
  return `${req.method} ${req.baseUrl}${path}`;
}
