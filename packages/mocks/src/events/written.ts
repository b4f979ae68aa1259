import type { Caller } from '../http/operation.ts';
import { isSameJson } from '../rules/equal.ts';
import type { State } from '../state/state.ts';

const TABLES = [
  'organizations',
  'users',
  'groups',
  'tokens',
  'integrations',
  'connections',
  'applications',
  'attachments',
  'attachmentPolicies',
  'integrationPolicies',
  'toolDefinitions',
  'sessions',
  'leases',
] as const;

type Table = (typeof TABLES)[number];

/** The rows that there were before a write. They are never changed in place. */
export type Rows = Readonly<Pick<State, Table>>;

type RowOf<T extends Table> = State[T] extends Map<string, infer Row> ? Row : never;

/** What an operation has written. */
export interface Written<Of extends Caller = Caller> {
  readonly before: Rows;
  readonly call: Of;
}

export function rowsOf(state: State): Rows {
  return Object.fromEntries(
    TABLES.map((table) => [table, new Map<string, unknown>(state[table])]),
  ) as unknown as Rows;
}

/** Rows of a table that were not there before. */
export function rowsAdded<T extends Table>({ before, call }: Written, table: T): RowOf<T>[] {
  return difference<RowOf<T>>(call.state[table], before[table]);
}

/** Rows of a table that are no longer there. */
export function rowsRemoved<T extends Table>({ before, call }: Written, table: T): RowOf<T>[] {
  return difference<RowOf<T>>(before[table], call.state[table]);
}

function difference<Row>(of: unknown, without: unknown): Row[] {
  const [all, others] = [of, without] as [ReadonlyMap<string, Row>, ReadonlyMap<string, Row>];
  return [...all].flatMap(([id, row]) => (others.has(id) ? [] : [row]));
}

/** Rows that were replaced by others, before and after. */
export function replaced<T extends Table>(
  { before, call }: Written,
  table: T,
): { readonly from: RowOf<T>; readonly to: RowOf<T> }[] {
  const earlier = before[table] as unknown as ReadonlyMap<string, RowOf<T>>;
  const rows = call.state[table] as unknown as ReadonlyMap<string, RowOf<T>>;
  return [...rows].flatMap(([id, to]) => {
    const from = earlier.get(id);
    return from === undefined || from === to ? [] : [{ from, to }];
  });
}

/** The fields that differ, in the form of an event. One that is not set is null. */
export function changedFields<Field extends string>(
  from: { readonly [Name in Field]?: unknown },
  to: { readonly [Name in Field]?: unknown },
  fields: readonly Field[],
) {
  return fields
    .filter((field) => !isSameJson(from[field], to[field]))
    .map((field) => ({ field, from: from[field] ?? null, to: to[field] ?? null }));
}
