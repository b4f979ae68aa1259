import type { Aggregate } from '@gatehouse/contract';
import type { Application } from '../../generated/prisma/client.ts';

/** The columns of the one URL of an application. */
export type AggregateColumns = Pick<Application, 'aggregateMode' | 'aggregateNameLength'>;

export function aggregateOf({ aggregateMode, aggregateNameLength }: AggregateColumns): Aggregate {
  return { mode: aggregateMode, nameLength: aggregateNameLength };
}

export function aggregateColumnsOf({ mode, nameLength }: Aggregate): AggregateColumns {
  return { aggregateMode: mode, aggregateNameLength: nameLength };
}
