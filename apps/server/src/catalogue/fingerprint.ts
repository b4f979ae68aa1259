import { hash } from 'node:crypto';
import { isJsonObject, type JsonObject } from '@gatehouse/contract';
import canonicalize from 'canonicalize';
import { canonicalEntry, canonicalObject } from './canonical-entry.ts';

/** The fields that may change while the schema of a tool is pinned. */
const TEXTS: ReadonlySet<string> = new Set(['title', 'description']);

/** Characters of the longest name of a tool that is catalogued (2025-11-25 tools, "Tool Names"). */
const MAX_NAME = 128;

/** Bytes of the longest definition, as it came without white space, and as canonical JSON: that takes 20 ms at most. */
const MAX_READ = 64 * 1024;

/** A tool as its server defines it. */
export interface Definition {
  readonly name: string;
  /** SHA-256 of its canonical JSON (see `canonicalEntry`), in hex; of its bytes, after `raw:`, if they are long or parsers may read them differently. */
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
  const definition = canonicalDefinition(entry);
  if (definition !== undefined) return definition;
  const fingerprint = `raw:${hash('sha256', entry)}`;
  return { name, fingerprint, schemaFingerprint: fingerprint, definition: null, readOnly: false };
}

/** Undefined if it has no canonical JSON, is too long, or its name cannot be catalogued. */
function canonicalDefinition(entry: Buffer): Definition | undefined {
  const members = canonicalEntry(entry, MAX_READ);
  if (members === undefined) return undefined;
  const name: unknown = JSON.parse(members.get('name') ?? 'null');
  if (typeof name !== 'string' || !isCatalogued(name)) return undefined;
  const whole = canonicalObject(members);
  if (Buffer.byteLength(whole) > MAX_READ) return undefined;
  const annotations: unknown = JSON.parse(members.get('annotations') ?? 'null');
  return {
    name,
    fingerprint: hash('sha256', whole),
    schemaFingerprint: hash('sha256', canonicalObject(schemaOf(members))),
    definition: whole,
    readOnly: isJsonObject(annotations) && annotations.readOnlyHint === true,
  };
}

function schemaOf(members: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  return new Map([...members].filter(([key]) => !TEXTS.has(key)));
}

/** Whether tools of this name can be catalogued. */
export function isCatalogued(name: string): boolean {
  // PostgreSQL stores neither U+0000 nor half of a surrogate pair.
  return name.length > 0 && name.length <= MAX_NAME && !/[\0\p{Surrogate}]/u.test(name);
}

/** The canonical JSON of some fields of a parsed entry; undefined if RFC 8785 cannot express the values: half of a surrogate pair, an infinite number, or nesting without end. */
export function canonicalOf(entry: JsonObject, fields: readonly string[]): string | undefined {
  const chosen = Object.entries(entry).filter(([key]) => fields.includes(key));
  try {
    return canonicalize(Object.fromEntries(chosen));
  } catch {
    return undefined;
  }
}
