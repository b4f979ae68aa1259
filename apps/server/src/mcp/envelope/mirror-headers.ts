import { decodedHeader, NAME_SOURCES } from '../header-values.ts';
import type { Message } from './message.ts';

/** All values of each header, by its name in lower case. */
type Headers = Readonly<Record<string, readonly string[] | undefined>>;

/**
 * The first mirroring header that differs from the message or is sent twice. Headers may be absent. A name is
 * compared only for methods that mirror one.
 */
export function differingHeader(
  { method, name, uri }: Message,
  headers: Headers,
): 'Mcp-Method' | 'Mcp-Name' | undefined {
  const methods = headers['mcp-method'] ?? [];
  if (methods.length > 0 && !isOnly(methods, method)) return 'Mcp-Method';
  const names = headers['mcp-name'] ?? [];
  if (names.length > 1) return 'Mcp-Name';
  const source = NAME_SOURCES.get(method ?? '');
  if (source === undefined || names.length === 0) return undefined;
  return isOnly(names.map(decodedHeader), source === 'name' ? name : uri) ? undefined : 'Mcp-Name';
}

/** The first missing header that a request of the modern era must have. A notification needs no header. */
export function missingHeader(
  { id, method }: Message,
  headers: Headers,
): 'Mcp-Method' | 'Mcp-Name' | undefined {
  if (id === undefined || method === undefined) return undefined;
  if (headers['mcp-method'] === undefined) return 'Mcp-Method';
  const isNamed = NAME_SOURCES.has(method);
  return isNamed && headers['mcp-name'] === undefined ? 'Mcp-Name' : undefined;
}

function isOnly(values: readonly (string | undefined)[], expected: string | undefined): boolean {
  return values.length === 1 && expected !== undefined && values[0] === expected;
}
