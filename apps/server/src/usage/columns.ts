import { latencyBuckets } from '@gatehouse/contract';
import { Prisma } from '../generated/prisma/client.ts';

const NUMBERS = ['calls', 'refusals', 'errors', 'upstreamErrors'];
const BYTES = ['bytesIn', 'bytesOut'];
const SUMS = [...NUMBERS, ...BYTES];
const BUCKETS = Array.from({ length: latencyBuckets }, (_, bucket) => `"latency"[${bucket + 1}]`);

/** The columns with counts, in the order of {@link summed}. */
export const counts = sql([...SUMS, 'latency', 'lastErrorAt'].map((name) => `"${name}"`));

/** The sums of several rows. Of `bigint`, PostgreSQL would make a `numeric`, which takes longer. */
export const summed = sql([
  ...NUMBERS.map((name) => `sum("${name}")::int AS "${name}"`),
  ...BYTES.map((name) => `sum("${name}"::float8) AS "${name}"`),
  `ARRAY[${BUCKETS.map((bucket) => `sum(${bucket})::int`)}] AS "latency"`,
  'max("lastErrorAt") AS "lastErrorAt"',
]);

/** After `INSERT INTO … AS t … DO UPDATE SET`: adds to the row that is there. */
export const added = sql([
  ...SUMS.map((name) => `"${name}" = t."${name}" + excluded."${name}"`),
  `"latency" = ARRAY[${BUCKETS.map((bucket) => `t.${bucket} + excluded.${bucket}`)}]`,
  '"lastErrorAt" = greatest(t."lastErrorAt", excluded."lastErrorAt")',
]);

function sql(parts: readonly string[]): Prisma.Sql {
  return Prisma.raw(parts.join(', '));
}
