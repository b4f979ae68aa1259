import { decodedHeader, NAME_SOURCES } from '../header-values.ts';
import type { Message } from './message.ts';

/** All values of each header, by its name in lower case. */
type Headers = Readonly<Record<string, readonly string[] | undefined>>;

/** Methods that need no `Mcp-Name`, and with which it can only mirror the URI. */
const URI_METHODS: ReadonlySet<string> = new Set(['resources/subscribe', 'resources/unsubscribe']);

/**
 * The first mirroring header that differs from the message or is sent twice. Headers may be absent. A name that comes
 * with a method without a name mirrors nothing; that of a task is its id (SEP-2663), which decides nothing.
 */
export function differingHeader(
  message: Message,
  headers: Headers,
): 'Mcp-Method' | 'Mcp-Name' | undefined {
  const { method } = message;
  const methods = headers['mcp-method'] ?? [];
  if (methods.length > 0 && !isOnly(methods, method)) return 'Mcp-Method';
  const names = headers['mcp-name'] ?? [];
  if (names.length > 1) return 'Mcp-Name';
  if (names.length === 0 || method?.startsWith('tasks/')) return undefined;
  return isOnly(names.map(decodedHeader), mirroredName(message)) ? undefined : 'Mcp-Name';
}

function mirroredName({ method = '', name, uri }: Message): string | undefined {
  const source = URI_METHODS.has(method) ? 'uri' : NAME_SOURCES.get(method);
  if (source === undefined) return undefined;
  return source === 'name' ? name : uri;
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
