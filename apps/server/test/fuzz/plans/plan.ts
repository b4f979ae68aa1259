import fc from 'fast-check';
import type { FuzzOperation, OperationId } from '../operations.ts';
import { operations } from '../operations.ts';
import { arbitraryOf } from '../schemas/arbitrary-of.ts';
import { type Mutation, mutationOf } from './mutation.ts';

/** Who calls: `fitting` may call the operation; `pick` chooses among several. */
export interface ActorChoice {
  readonly who: 'fitting' | 'base' | 'any' | 'nobody' | 'wrong token' | 'no bearer' | 'guessing';
  readonly pick: number;
}

/** What a path parameter names: `suited` is a row that the operation can succeed on. */
export interface IdChoice {
  readonly what: 'suited' | 'any' | 'foreign' | 'unknown' | 'other kind';
  readonly pick: number;
  readonly isUpperCase: boolean;
}

/**
 * A request before it meets the running server: what depends on stored rows is a choice, so that
 * a plan means something whatever happened before it.
 */
export interface Plan {
  readonly operation: OperationId;
  /** Nothing about it is meant to be wrong. */
  readonly isValid: boolean;
  readonly actor: ActorChoice;
  readonly ids: readonly IdChoice[];
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly cursor: 'none' | 'next page' | 'of another list' | 'altered' | 'made up';
  readonly ifMatch: 'none' | 'current' | 'any' | 'stale';
  readonly key: 'none' | 'new' | 'repeated' | 'reused';
  readonly pick: number;
  /** Sent twice at the same time. */
  readonly isTwin: boolean;
  readonly mutations: readonly Mutation[];
}

const pick = fc.nat({ max: 9_999 });

type Weights<Value> = readonly (readonly [weight: number, value: Value])[];

function weighted<const Value>(weights: Weights<Value>): fc.Arbitrary<Value> {
  return fc.oneof(...weights.map(([weight, value]) => ({ weight, arbitrary: fc.constant(value) })));
}

/** Plans of one operation, all fine or all with something wrong. */
function planOf(operation: FuzzOperation, isValid: boolean): fc.Arbitrary<Plan> {
  const { entry, id, params } = operation;
  const body = 'body' in entry ? entry.body : undefined;
  return fc.record({
    operation: fc.constant(id),
    isValid: fc.constant(isValid),
    actor: fc.record({ who: isValid ? fittingActor : anyActor, pick }),
    ids: fc.tuple(
      ...params.map(() =>
        fc.record({ what: isValid ? likelyId : anyId, pick, isUpperCase: weighted(ONE_IN_TEN) }),
      ),
    ),
    query: queryOf(entry.query),
    body: isSchema(body) ? arbitraryOf(body) : fc.constant(undefined),
    cursor: weighted(
      isValid
        ? [
            [2, 'none'],
            [2, 'next page'],
          ]
        : CURSORS,
    ),
    ifMatch: operation.takesIfMatch ? weighted(isValid ? LIKELY_TAGS : TAGS) : fc.constant('none'),
    key: operation.route.idempotency === 'key' ? weighted(isValid ? LIKELY_KEYS : KEYS) : noKey,
    pick,
    isTwin: weighted(ONE_IN_TEN),
    mutations: isValid
      ? fc.constant([])
      : fc.array(mutationOf(operation), { minLength: 0, maxLength: 2 }),
  });
}

const ONE_IN_TEN: Weights<boolean> = [
  [9, false],
  [1, true],
];
const fittingActor = weighted([[1, 'fitting']]);
const anyActor = weighted([
  [14, 'fitting'],
  [3, 'base'],
  [3, 'any'],
  [1, 'nobody'],
  [1, 'wrong token'],
  [1, 'no bearer'],
  [2, 'guessing'],
]);
const likelyId = weighted([
  [40, 'suited'],
  [3, 'any'],
]);
const anyId = weighted([
  [10, 'suited'],
  [4, 'any'],
  [1, 'foreign'],
  [1, 'unknown'],
  [1, 'other kind'],
]);
const CURSORS: Weights<Plan['cursor']> = [
  [6, 'none'],
  [1, 'next page'],
  [1, 'of another list'],
  [1, 'altered'],
  [1, 'made up'],
];
const LIKELY_TAGS: Weights<Plan['ifMatch']> = [
  [5, 'none'],
  [3, 'current'],
  [1, 'any'],
];
const TAGS: Weights<Plan['ifMatch']> = [
  [4, 'none'],
  [1, 'current'],
  [1, 'any'],
  [2, 'stale'],
];
const LIKELY_KEYS: Weights<Plan['key']> = [
  [6, 'none'],
  [3, 'new'],
  [2, 'repeated'],
];
const KEYS: Weights<Plan['key']> = [
  [4, 'none'],
  [1, 'new'],
  [1, 'repeated'],
  [2, 'reused'],
];
const noKey = fc.constant<Plan['key']>('none');

function queryOf(schema: unknown): fc.Arbitrary<Record<string, string>> {
  if (!isSchema(schema)) return fc.constant({});
  return arbitraryOf(schema) as fc.Arbitrary<Record<string, string>>;
}

function isSchema(value: unknown): value is Parameters<typeof arbitraryOf>[0] {
  return typeof value === 'object' && value !== null && '_zod' in value;
}

/** Plans of the named operations, or of all, equally often; three of five are valid. */
export function planArbitrary(some: readonly FuzzOperation[] = []): fc.Arbitrary<Plan> {
  const among = some.length > 0 ? some : operations;
  const valid = fc.oneof(...among.map((operation) => planOf(operation, true)));
  const invalid = fc.oneof(...among.map((operation) => planOf(operation, false)));
  return fc.oneof({ weight: 3, arbitrary: valid }, { weight: 2, arbitrary: invalid });
}
