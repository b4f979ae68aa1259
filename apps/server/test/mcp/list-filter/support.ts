import { EventListFilter } from '../../../src/mcp/list-filter/event-filter.ts';
import { JsonListFilter } from '../../../src/mcp/list-filter/json-filter.ts';
import type {
  Filtered,
  ListFault,
  ListFilter,
  ListFilterOptions,
} from '../../../src/mcp/list-filter/options.ts';
import { type ListKey, mcpLists } from '../../../src/mcp/methods.ts';

export type Outcome = { readonly text: string } | { readonly fault: ListFault };

/** Names, URIs and templates with an x are refused. */
export const withoutX: ListFilterOptions = {
  allows: (_list, identifier) => !identifier.includes('x'),
  makePrivate: false,
};

export function run(
  filter: ListFilter,
  chunks: readonly Buffer[],
): Outcome & { readonly sent: string } {
  const sent: Buffer[] = [];
  const feeds = chunks.map((chunk) => () => feed(filter, chunk));
  for (const step of [...feeds, () => filter.end()]) {
    const { bytes, fault } = step();
    sent.push(bytes);
    if (fault !== undefined) return { fault, sent: Buffer.concat(sent).toString() };
  }
  const text = Buffer.concat(sent).toString();
  return { text, sent: text };
}

/** Appends a chunk, reads all of it, and takes what may be sent. */
export function feed(filter: ListFilter, chunk: string | Buffer): Filtered {
  filter.append(Buffer.from(chunk));
  while (filter.read());
  return filter.take();
}

/** The same text in one chunk, with what may be sent taken after each step. */
export function runInSteps(filter: ListFilter, text: string): string {
  const sent: Buffer[] = [];
  filter.append(Buffer.from(text));
  for (let hasMore = true; hasMore; ) {
    hasMore = filter.read();
    sent.push(filter.take().bytes);
  }
  return Buffer.concat([...sent, filter.end().bytes]).toString();
}

export const filterJson = (text: string | Buffer, options = withoutX) =>
  run(new JsonListFilter(options), [Buffer.from(text)]);

export const filterEvents = (text: string | Buffer, options = withoutX) =>
  run(new EventListFilter(options), [Buffer.from(text)]);

/** The bytes in two chunks, cut at each place in turn, and one by one. */
export function* splitsOf(bytes: Buffer): Generator<readonly Buffer[]> {
  for (let at = 0; at <= bytes.length; at += 1) yield [bytes.subarray(0, at), bytes.subarray(at)];
  yield [...bytes].map((byte) => Buffer.from([byte]));
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isListKey = (key: string): key is ListKey => Object.hasOwn(mcpLists, key);

/** What a filter must make of a parsed body. */
export function filtered(value: unknown, options: ListFilterOptions): unknown {
  if (Array.isArray(value)) return value.map((item) => filteredMessage(item, options));
  return filteredMessage(value, options);
}

function filteredMessage(message: unknown, options: ListFilterOptions): unknown {
  if (!isObject(message) || !isObject(message.result)) return message;
  const result = Object.entries(message.result).map(([key, value]) => {
    if (key === 'cacheScope' && value === 'public' && options.makePrivate) return [key, 'private'];
    if (!isListKey(key) || !Array.isArray(value)) return [key, value];
    return [key, value.filter((entry) => isAllowed(key, entry, options))];
  });
  return { ...message, result: Object.fromEntries(result) };
}

function isAllowed(list: ListKey, entry: unknown, options: ListFilterOptions): boolean {
  const identifier = isObject(entry) ? entry[mcpLists[list].identifier] : undefined;
  if (typeof identifier !== 'string' || /\p{Surrogate}/u.test(identifier)) return false;
  return options.allows?.(list, identifier, Buffer.alloc(0)) ?? true;
}
