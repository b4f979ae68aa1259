import { hash } from 'node:crypto';
import { isJsonObject, type JsonObject } from '@gatehouse/contract';
import canonicalize from 'canonicalize';
import { definitionTextOf } from './entry-text.ts';

/** What of a tool is pinned. `_meta`, icons and unknown fields are not. */
const SCHEMA_FIELDS = ['name', 'inputSchema', 'outputSchema', 'annotations'];
const FIELDS = [...SCHEMA_FIELDS, 'title', 'description'];

/** Characters of the longest name of a tool that is catalogued (2025-11-25 tools, "Tool Names"). */
const MAX_NAME = 128;

/** Bytes of the longest definition, as it came without white space, and as canonical JSON: that takes 20 ms at most. */
const MAX_READ = 64 * 1024;

/** A tool as its server defines it. */
export interface Definition {
  readonly name: string;
  /** SHA-256 of its canonical JSON (RFC 8785), in hex; of its bytes, after `raw:`, if they are long or parsers may read them differently. */
  readonly fingerprint: string;
  /** The same without the title and description of the tool itself. */
  readonly schemaFingerprint: string;
  /** Its canonical JSON; null with a fingerprint of bytes. */
  readonly definition: string | null;
  /** Its `readOnlyHint` is true. */
  readonly readOnly: boolean;
}

/** The definition in an entry of a list, which must be JSON with this name. */
export function readDefinition(entry: Buffer, name: string): Definition {
  const text = definitionTextOf(entry, MAX_READ);
  const definition = text === undefined ? undefined : definitionOf(JSON.parse(text));
  if (definition !== undefined) return definition;
  const fingerprint = `raw:${hash('sha256', entry)}`;
  return { name, fingerprint, schemaFingerprint: fingerprint, definition: null, readOnly: false };
}

/** The definition of a parsed tool; undefined if it has no canonical JSON, is too long, or its name cannot be catalogued. */
export function definitionOf(tool: JsonObject): Definition | undefined {
  const { name, annotations } = tool;
  if (typeof name !== 'string' || !isCatalogued(name)) return undefined;
  const members = canonicalMembers(tool, FIELDS);
  if (members === undefined) return undefined;
  const whole = objectOf(members);
  if (Buffer.byteLength(whole) > MAX_READ) return undefined;
  return {
    name,
    fingerprint: hash('sha256', whole),
    schemaFingerprint: hash(
      'sha256',
      objectOf(members.filter(([key]) => SCHEMA_FIELDS.includes(key))),
    ),
    definition: whole,
    readOnly: isJsonObject(annotations) && annotations.readOnlyHint === true,
  };
}

/** Whether tools of this name can be catalogued. */
export function isCatalogued(name: string): boolean {
  // PostgreSQL stores neither U+0000 nor half of a surrogate pair.
  return name.length > 0 && name.length <= MAX_NAME && !/[\0\p{Surrogate}]/u.test(name);
}

/** The canonical JSON of some fields of an entry; undefined if RFC 8785 cannot express the values: half of a surrogate pair, an infinite number, or nesting without end. */
export function canonicalOf(tool: JsonObject, fields: readonly string[]): string | undefined {
  const members = canonicalMembers(tool, fields);
  return members && objectOf(members);
}

type Member = readonly [key: string, json: string];

/** The fields are ASCII. Each is made canonical once: that takes most of the time. */
function canonicalMembers(
  tool: JsonObject,
  fields: readonly string[],
): readonly Member[] | undefined {
  const chosen = Object.keys(tool).filter((key) => fields.includes(key));
  try {
    return chosen.sort().map((key) => [key, canonicalize(tool[key]) ?? 'null']);
  } catch {
    return undefined;
  }
}

function objectOf(members: readonly Member[]): string {
  return `{${members.map(([key, json]) => `"${key}":${json}`).join()}}`;
}
