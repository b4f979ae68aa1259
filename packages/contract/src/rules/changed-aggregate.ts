import type { Aggregate, AggregateInput } from '../applications/aggregate.schema.ts';

/** What an aggregate is after a write; what is left out stays. */
export function changedAggregate(
  stored: Aggregate,
  { mode = stored.mode, nameLength = stored.nameLength }: AggregateInput = {},
): Aggregate {
  return { mode, nameLength };
}
