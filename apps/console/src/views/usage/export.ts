import type { UsageGrouping } from '@gatehouse/contract';
import type { Exported } from '../export-button.tsx';
import { readUsage, type UsageAsked } from './queries.ts';

/** Beside the name and the id of what they are of. */
const COLUMNS = [
  'calls',
  'refusals',
  'errors',
  'upstreamErrors',
  'bytesIn',
  'bytesOut',
  'p50',
  'p95',
  'p99',
  'lastErrorAt',
] as const;

const HEAD = [
  'Name',
  'Id',
  'From',
  'Step',
  'Calls',
  'Refused',
  'Failed in Gatehouse',
  'Failed upstream',
  'Bytes in',
  'Bytes out',
  'Median ms',
  'p95 ms',
  'p99 ms',
  'Last error',
];

/** A row for each step of each series, read now. */
export async function readTable(
  asked: UsageAsked,
  groupBy: UsageGrouping | undefined,
  nameOf: (key: string) => string,
): Promise<Exported> {
  const { step, series } = await readUsage(asked, groupBy);
  const rows = series.flatMap(({ key, points }) =>
    points.map((point) => [
      key === null ? '' : nameOf(key),
      key ?? '',
      point.at,
      step,
      ...COLUMNS.map((name) => String(point[name] ?? '')),
    ]),
  );
  return { head: HEAD, rows, isPartial: false };
}
