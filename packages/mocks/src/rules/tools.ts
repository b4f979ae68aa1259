import {
  decideTool,
  type JsonObject,
  type PolicyLevel,
  type Tool,
  type ToolChange,
  type ToolFacts,
} from '@gatehouse/contract';
import type { ToolDefinitionRow } from '../state/rows.ts';
import type { State } from '../state/state.ts';
import { isSameJson } from './equal.ts';

type Approved = ToolDefinitionRow & { readonly approvedAt: string };

/** By name, each as it was seen last. */
export function toolsOf(state: State, integrationId: string): Tool[] {
  const rows = [...state.toolDefinitions.values()].filter(
    (row) => row.integrationId === integrationId,
  );
  const names = [...new Set(rows.map(({ name }) => name))].sort();
  return names.map((name) => presentTool(rows.filter((row) => row.name === name)));
}

/** A tool by all its definitions, of which there is at least one. */
function presentTool(rows: readonly ToolDefinitionRow[]): Tool {
  // Of two that were seen within a millisecond, the one that came later.
  const latest = rows.reduce((one, other) => (other.lastSeenAt < one.lastSeenAt ? one : other));
  const { name, fingerprint, readOnly, definition, firstSeenAt, lastSeenAt } = latest;
  const approved = rows
    .filter((row): row is Approved => row.approvedAt !== null)
    .sort((one, other) => compare(other.approvedAt, one.approvedAt));
  return {
    name,
    state: latest.approvedAt !== null ? 'approved' : approved.length > 0 ? 'changed' : 'new',
    fingerprint,
    approved: approved.map(({ fingerprint, approvedAt, approvedBy }) => ({
      fingerprint,
      approvedAt,
      approvedBy,
    })),
    readOnly,
    definition,
    changes: changesBetween(approved[0]?.definition ?? null, definition),
    firstSeenAt,
    lastSeenAt,
  };
}

/** Which of the tools of an integration rules let everyone call who may use it, and how many there are. */
export function allowedTools(
  { toolDefinitions }: State,
  integrationId: string,
  levels: readonly PolicyLevel[],
): { readonly names: readonly string[]; readonly total: number } {
  const byName = new Map<string, ToolDefinitionRow[]>();
  for (const row of toolDefinitions.values()) {
    if (row.integrationId !== integrationId) continue;
    byName.set(row.name, [...(byName.get(row.name) ?? []), row]);
  }
  const isAllowed = (name: string, rows: readonly ToolDefinitionRow[]) =>
    decideTool(levels, name, factsOf(rows)).length === 0;
  const names = [...byName].flatMap(([name, rows]) => (isAllowed(name, rows) ? [name] : []));
  return { names: names.sort(), total: byName.size };
}

function factsOf(rows: readonly ToolDefinitionRow[]): ToolFacts {
  const { state, readOnly, definition } = presentTool(rows);
  const hasSchemas = ({ approvedAt, definition: other }: ToolDefinitionRow) =>
    approvedAt !== null && isSameJson(schemasOf(definition), schemasOf(other));
  const schema = state === 'changed' && rows.some(hasSchemas) ? 'approved' : state;
  return { readOnly, pins: { definition: state, schema } };
}

/** What a pin of schemas compares. */
function schemasOf(definition: JsonObject | null): JsonObject {
  const { title: _title, description: _description, ...rest } = definition ?? {};
  return rest;
}

/** A JSON Patch (RFC 6902) that replaces whole fields at the top. */
function changesBetween(before: JsonObject | null, after: JsonObject | null): ToolChange[] | null {
  if (before === null || after === null) return null;
  const removed = Object.keys(before)
    .filter((name) => !Object.hasOwn(after, name))
    .map((name) => ({ op: 'remove' as const, path: pointerTo(name) }));
  const written = Object.entries(after)
    .filter(([name, value]) => !Object.hasOwn(before, name) || !isSameJson(before[name], value))
    .map(([name, value]) => {
      const op = Object.hasOwn(before, name) ? ('replace' as const) : ('add' as const);
      return { op, path: pointerTo(name), value };
    });
  return [...removed, ...written];
}

/** RFC 6901 section 3. */
function pointerTo(name: string): string {
  return `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
