import type { OperationId } from '../operations.ts';
import type { Actor, Entity, EntityKind } from './entity.ts';
import { createPool, type Pool } from './pool.ts';

/** A page that has another one after it. */
export interface OpenList {
  readonly operation: OperationId;
  readonly bearer: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly cursor: string;
}

/** A request that carried an `Idempotency-Key` and was carried out. */
export interface KeyedCall {
  readonly operation: OperationId;
  readonly bearer: string;
  readonly path: string;
  readonly key: string;
  readonly body: Buffer | undefined;
}

/** What the generator knows of the service: the memory of earlier answers, never a look inside. */
export interface World {
  readonly upstreamUrl: string;
  readonly actors: Pool<Actor>;
  readonly openLists: Pool<OpenList>;
  readonly keyedCalls: Pool<KeyedCall>;
  /** Bearers and client secrets that were delivered once and may not be seen again. */
  readonly deliveredSecrets: Set<string>;
  entities(kind: EntityKind): Pool<Entity>;
  /** A number that was not given before. */
  next(): number;
}

const KINDS: readonly EntityKind[] = [
  'integration',
  'application',
  'member',
  'group',
  'token',
  'session',
  'grant',
  'event',
];

/** A world of which nothing is known but where an upstream listens. */
export function createWorld(upstreamUrl: string): World {
  const entities = new Map(KINDS.map((kind) => [kind, createPool<Entity>(2_000)]));
  let count = 0;
  return {
    upstreamUrl,
    actors: createPool(120),
    openLists: createPool(60),
    keyedCalls: createPool(200),
    deliveredSecrets: new Set(),
    entities(kind) {
      const pool = entities.get(kind);
      if (!pool) throw new Error(`There are no ${kind} entities.`);
      return pool;
    },
    next() {
      count += 1;
      return count;
    },
  };
}
