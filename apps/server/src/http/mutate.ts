import { idempotencyKeyPattern, isJsonObject, refusalTexts } from '@gatehouse/contract';
import type { Request, Response } from 'express';
import type { PersonCaller } from '../identity/caller.ts';
import { etagOf, type Mutation, type Precondition } from '../identity/mutation.ts';
import type { Db, Store } from '../platform/database/store.ts';
import { ProblemError } from '../platform/problem-error.ts';
import { authorizeAgain } from './authorize-route.ts';
import { actorOf, routeOfRequest } from './context.ts';
import type { StoredResponses, WriteResponse } from './stored-responses.ts';

export interface MutateDeps {
  readonly store: Store;
  readonly responses: StoredResponses;
}

export interface MutateSteps<Status extends number, Body> {
  /**
   * Refuses a body that is wrong in itself. Runs before the transaction, so that it precedes a 404,
   * and so that a schema in the body is not judged inside the transaction.
   */
  readonly check?: () => void;
  /** Takes locks that must come before the one on the caller. */
  readonly lock?: (scope: CallerScope) => Promise<void>;
  /**
   * Only with a key: refuses what the caller may not see or do, so that a stored response is not
   * replayed if its request would be refused today. Without a key `act` does it.
   */
  readonly authorize?: (scope: CallerScope) => unknown;
  /**
   * The whole write, in the transaction that also stores the response. It may run up to four times, if
   * the transaction is retried: no effects outside it.
   */
  readonly act: (mutation: Mutation) => Promise<WriteResponse<Status, Body>>;
}

/** The transaction's client, and the caller. */
export interface CallerScope {
  readonly db: Db;
  readonly actor: PersonCaller;
}

/**
 * Runs one write in one transaction, replayed by its `Idempotency-Key` where the route allows it. The
 * transaction first authorizes the caller again, and commits only while that holds.
 *
 * @throws ProblemError `validation_failed` for an invalid key, `database_unavailable`, those of
 * {@link authorizeAgain}, those of the steps, and with a key those of {@link StoredResponses}
 */
export async function mutate<Status extends number, Body>(
  { store, responses }: MutateDeps,
  req: Request,
  res: Response,
  { check, lock, authorize, act }: MutateSteps<Status, Body>,
): Promise<{ status: Status; body: Body }> {
  check?.();
  const precondition = preconditionOf(req.headers['if-match']);
  const key = routeOfRequest(res).idempotency === 'key' ? idempotencyKeyOf(req) : undefined;
  const response = await store.transaction(async (tx) => {
    await lock?.({ db: tx.db, actor: actorOf(res) });
    const actor = await authorizeAgain(tx.db, res);
    const mutation = { tx, actor, precondition };
    if (key === undefined) return act(mutation);
    await authorize?.({ db: tx.db, actor });
    const request = {
      actor,
      operation: operationOf(req, res, actor),
      key,
      body: sortKeys(req.body ?? {}),
    };
    return responses.replayOrRun(tx, request, () => act(mutation));
  });
  if (response.version !== undefined) setEtag(res, response.version);
  if (response.location !== undefined) res.setHeader('Location', response.location);
  return { status: response.status, body: response.body };
}

/**
 * Method and path with ids in lower case: two spellings of an id are one request. The keys of an
 * invitation are its own: its member's tokens do not get its response, nor it theirs.
 */
function operationOf(req: Request, res: Response, { via }: PersonCaller): string {
  const path = routeOfRequest(res).path.replaceAll(/:(\w+)/g, (_, name: string) =>
    String(req.params[name]).toLowerCase(),
  );
  const methodAndPath = `${req.method} ${req.baseUrl}${path}`;
  return via.kind === 'invitation' ? `${methodAndPath} ${via.id}` : methodAndPath;
}

/** The same JSON value with the keys of every object sorted: equal values have equal texts. */
function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (!isJsonObject(value)) return value;
  const keys = Object.keys(value).sort();
  return Object.fromEntries(keys.map((key) => [key, sortKeys(value[key])]));
}

/** The `Idempotency-Key` of a request, if it has one. @throws ProblemError `validation_failed` */
function idempotencyKeyOf(req: Request): string | undefined {
  const header = req.headers['idempotency-key'];
  if (header === undefined) return undefined;
  if (typeof header === 'string' && idempotencyKeyPattern.test(header)) return header;
  throw new ProblemError('validation_failed', refusalTexts.wrongKey, {
    errors: [
      {
        parameter: 'Idempotency-Key',
        code: 'invalid',
        message: refusalTexts.keyCharacters,
      },
    ],
  });
}

/** The absolute `Location` of a created resource. */
export function locationOf(publicUrl: string, path: string): string {
  return `${publicUrl}/api/v1${path}`;
}

/** A version as a strong tag. Versions are positive 32-bit integers. */
const TAG = /^"v([1-9]\d{0,9})"$/;

export function setEtag(res: Response, version: number): void {
  res.setHeader('ETag', etagOf(version));
}

/**
 * Reads an `If-Match` header. The comparison is strong, so a weak tag names no version; nor does a
 * tag that is not one of ours (RFC 9110 section 13.1.1).
 */
function preconditionOf(header: string | undefined): Precondition {
  if (header === undefined) return 'none';
  if (header.trim() === '*') return 'any';
  const versions = header.split(',').flatMap((tag) => {
    const version = TAG.exec(tag.trim())?.[1];
    return version === undefined ? [] : [Number(version)];
  });
  return { versions };
}
