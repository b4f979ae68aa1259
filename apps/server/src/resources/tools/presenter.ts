import { type JsonObject, limits, type Tool, type ToolChange } from '@gatehouse/contract';
import jsonPatch from 'fast-json-patch';
import { definitionIn } from '../definition-text.ts';
import type { ToolRow } from './repository.ts';

export function presentTool(row: ToolRow): Tool {
  const { id, state, fingerprint, approved, readOnly, firstSeenAt, lastSeenAt } = row;
  const definition = definitionIn(row.definition);
  const before = definitionIn(row.approvedDefinition);
  return {
    name: id,
    state,
    fingerprint,
    approved: approved.map(({ approvedAt, ...approval }) => ({
      ...approval,
      approvedAt: new Date(approvedAt).toISOString(),
    })),
    readOnly,
    definition,
    changes: definition === null || before === null ? null : changesBetween(before, definition),
    firstSeenAt: firstSeenAt.toISOString(),
    lastSeenAt: lastSeenAt.toISOString(),
  };
}

/**
 * A JSON Patch (RFC 6902), with one operation that replaces the whole where single ones would be longer than
 * the longest definition.
 */
export function changesBetween(before: JsonObject, after: JsonObject): ToolChange[] {
  const changes: ToolChange[] = [];
  let length = 0;
  for (const operation of jsonPatch.compare(before, after)) {
    const { op, path } = operation;
    if (op !== 'add' && op !== 'remove' && op !== 'replace') return [whole(after)];
    // The library keeps a path as its parts, so that only its length is known for free.
    length += path.length + MEMBERS;
    if (length > limits.toolDefinitionBytes) return [whole(after)];
    changes.push(op === 'remove' ? { op, path } : { op, path, value: operation.value });
  }
  return changes;
}

/** `{"op":"replace","path":"","value":},` */
const MEMBERS = 37;

function whole(value: JsonObject): ToolChange {
  return { op: 'replace', path: '', value };
}
