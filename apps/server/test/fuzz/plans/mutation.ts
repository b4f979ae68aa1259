import fc from 'fast-check';
import type { FuzzOperation } from '../operations.ts';
import { hostileBody, hostileJson, hostileName } from '../schemas/hostile.ts';

/** One thing done to a request that was fine. */
export type Mutation =
  | { readonly on: 'field'; readonly pick: number; readonly json: string }
  | { readonly on: 'field'; readonly pick: number; readonly json: null }
  | { readonly on: 'unknown field'; readonly name: string; readonly json: string }
  | { readonly on: 'body'; readonly text: string }
  | { readonly on: 'bytes'; readonly kind: 'invalid utf-8' | 'utf-16' | 'too large' | 'chunked' }
  | { readonly on: 'type'; readonly value: string | null }
  | { readonly on: 'header'; readonly name: string; readonly values: readonly string[] }
  | { readonly on: 'query'; readonly name: string; readonly values: readonly string[] }
  | { readonly on: 'query text'; readonly text: string }
  | { readonly on: 'path'; readonly pick: number; readonly text: string }
  | { readonly on: 'host'; readonly values: readonly string[] };

type Weighted = fc.WeightedArbitrary<Mutation>;

/** What may be done to requests of an operation. */
export function mutationOf(operation: FuzzOperation): fc.Arbitrary<Mutation> {
  const isWrite = operation.route.method !== 'GET';
  return fc.oneof(
    ...headerMutations,
    ...(isWrite ? bodyMutations : []),
    ...(operation.params.length > 0 ? pathMutations : []),
    ...queryMutations(operation),
  );
}

const pick = fc.nat({ max: 1_000 });

const bodyMutations: readonly Weighted[] = [
  { weight: 10, arbitrary: fc.record({ on: fc.constant('field'), pick, json: hostileJson }) },
  { weight: 2, arbitrary: fc.record({ on: fc.constant('field'), pick, json: fc.constant(null) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      on: fc.constant('unknown field'),
      name: hostileName,
      json: hostileJson,
    }),
  },
  { weight: 3, arbitrary: fc.record({ on: fc.constant('body'), text: hostileBody }) },
  {
    weight: 5,
    arbitrary: fc.record({
      on: fc.constant('bytes'),
      kind: fc.constantFrom('invalid utf-8', 'utf-16', 'too large', 'too large', 'chunked'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      on: fc.constant('type'),
      value: fc.constantFrom(
        null,
        'text/plain',
        'application/x-www-form-urlencoded',
        'application/json; charset=utf-16',
        'application/vnd.api+json',
        'APPLICATION/JSON;CHARSET="UTF-8"',
        'multipart/form-data; boundary=x',
        'json',
        '',
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: header('content-encoding', 'gzip', 'br', 'identity', 'zq7', 'deflate, gzip'),
  },
];

const headerMutations: readonly Weighted[] = [
  {
    weight: 2,
    arbitrary: header('idempotency-key', '', ' ', 'a b', 'é', 'k'.repeat(256), '!'.repeat(255)),
  },
  { weight: 1, arbitrary: header('if-match', '', 'v1', 'W/"v1"', '"v0", "v1"', '"', '"v999999"') },
  { weight: 1, arbitrary: header('origin', 'https://evil.example', 'null', '') },
  { weight: 1, arbitrary: header('x-request-id', 'a b', 'r'.repeat(129), '<script>', 'fine-1') },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Mutation>(
      { on: 'host', values: ['evil.example'] },
      { on: 'host', values: ['127.0.0.1', '127.0.0.1'] },
      { on: 'header', name: 'authorization', values: ['Bearer zq7-secret-a', 'Bearer b'] },
    ),
  },
];

const pathMutations: readonly Weighted[] = [
  {
    weight: 4,
    arbitrary: fc.record({
      on: fc.constant('path'),
      pick,
      text: fc.oneof(
        fc.constantFrom('1', '%00', '%ff', '%', '%zz', '..', '%2e%2e%2f', '0'.repeat(4_000), '%F0'),
        fc.string({ minLength: 1 }).map(encodeURIComponent),
        fc.uuid().map((id) => `${id}0`),
      ),
    }),
  },
];

const QUERY_VALUES = ['', '0', '-1', '1.5', '1e9', 'TRUE', '1', 'null', '%00', '%ff', 'a%00b', '%'];

function queryMutations({ entry, declared }: FuzzOperation): readonly Weighted[] {
  const shape = entry.query === undefined ? [] : Object.keys(Object(entry.query).shape);
  const name = fc.constantFrom(...shape, '__proto__', 'unknown', 'id', '%F0');
  const values = fc.array(
    fc.oneof(fc.constantFrom(...QUERY_VALUES), fc.string().map(encodeURIComponent)),
    { minLength: 1, maxLength: 3 },
  );
  return [
    {
      weight: declared.has(400) ? 3 : 1,
      arbitrary: fc.record({ on: fc.constant('query'), name, values }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        on: fc.constant('query text'),
        text: fc.constantFrom('&&=&', '%', 'limit[]=1', 'limit[a]=1&limit[b]=2', '?', 'limit=1;x'),
      }),
    },
  ];
}

function header(name: string, ...values: string[]): fc.Arbitrary<Mutation> {
  return fc.record({
    on: fc.constant('header'),
    name: fc.constant(name),
    values: fc.constantFrom(...values).map((value) => [value]),
  });
}
