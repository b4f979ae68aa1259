import type { UsageSeries } from '@gatehouse/sdk';
import type { Bar } from '../../components/bars.tsx';
import { barsOf } from './counts.ts';
import { type Rows, stepLabel } from './labels.ts';
import type { UsageRead } from './queries.ts';

/** A row of the table: a series, or a point of the one series there is. */
export interface UsageRow {
  readonly id: string;
  readonly name: string;
  readonly total: UsageSeries['total'];
  /** Calls by time; empty where the row itself is of one time. */
  readonly bars: readonly Bar[];
}

/** @param nameOf the name of what a series is of */
export function rowsOf(
  { step, series }: UsageRead,
  rows: Rows,
  nameOf: (key: string) => string,
): UsageRow[] {
  if (rows === 'time') {
    const points = series.flatMap((each) => each.points).reverse();
    return points.map((point) => ({
      id: point.at,
      name: stepLabel(step, point.at),
      total: point,
      bars: [],
    }));
  }
  return series.map(({ key, total, points }) => {
    const id = key ?? '';
    return { id, name: nameOf(id), total, bars: barsOf(points) };
  });
}
