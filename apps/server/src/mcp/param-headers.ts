import { encodedHeader } from './header-values.ts';
import { MAX_AT_ONCE } from './json/parse.ts';
import { fieldsOf } from './server/messages.ts';

const ANNOTATION = 'x-mcp-header';

/** A header's name after its prefix (RFC 9110, section 5.1). */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/** Levels of a schema that are looked through. */
const MAX_DEPTH = 16;

type Fields = Readonly<Record<string, unknown>>;

/**
 * The headers that repeat arguments of a call, as the definition of its tool wants them (2026-07-28 streamable HTTP,
 * "Schema Extension"). A definition or arguments above {@link MAX_AT_ONCE} get no headers.
 *
 * @param definition of the tool, JSON
 * @param given the arguments, JSON
 * @returns by names in lower case
 */
export function paramHeadersOf(
  definition: Buffer,
  given: Buffer,
): Readonly<Record<string, string>> {
  if (!definition.includes(ANNOTATION)) return {};
  if (definition.length > MAX_AT_ONCE || given.length > MAX_AT_ONCE) return {};
  const { inputSchema } = fieldsOf(JSON.parse(definition.toString()));
  const values = fieldsOf(JSON.parse(given.toString()));
  return Object.fromEntries(headersIn(fieldsOf(inputSchema), values, MAX_DEPTH));
}

function headersIn(schema: Fields, values: Fields, depth: number): [string, string][] {
  if (depth === 0) return [];
  return Object.entries(fieldsOf(schema.properties)).flatMap(([key, child]) => {
    const property = fieldsOf(child);
    const value = Object.hasOwn(values, key) ? values[key] : undefined;
    const inner = headersIn(property, fieldsOf(value), depth - 1);
    const name = property[ANNOTATION];
    const text = textOf(value);
    if (typeof name !== 'string' || !TOKEN.test(name) || text === undefined) return inner;
    return [[`mcp-param-${name.toLowerCase()}`, encodedHeader(text)], ...inner];
  });
}

/** Undefined for what no header can repeat, as numbers that have lost digits. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean' || Number.isSafeInteger(value)) return String(value);
  return undefined;
}
