import type { FuzzAnswer } from '../request.ts';
import type { Names } from './names.ts';

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const SECRET = /^gh_(?:pat|inv|cs)_/;
const LINK = /\/(?:sign-in\/link|connect)\/[\w-]{43}$/;

/**
 * Fields that differ by design: ids of requests, sentences for people, and `lastUsedAt`, which the
 * server writes behind.
 */
const OWN = new Set(['requestId', 'detail', 'message', 'lastUsedAt']);

/** How either side calls the owner that an organization begins with, and the owner's token. */
const OWNERS: readonly (readonly [server: string, mock: RegExp])[] = [
  ['owner@other.example', /^owner-\d+@example\.com$/],
  ['Other owner', /^The owner$/],
  ['test', /^Fixture$/],
];

const HEADERS = ['content-type', 'etag', 'location', 'www-authenticate', 'allow'];

export interface CompareOptions {
  readonly names: Names;
  /** Lists agree when they hold the same rows: between calls at the same time no order is promised. */
  readonly isAnyOrder: boolean;
}

/** Where two answers differ, by path; ids that are seen for the first time are bound to each other. */
export function differences(
  server: FuzzAnswer,
  mock: FuzzAnswer,
  options: CompareOptions,
): string[] {
  if (server.status !== mock.status) {
    const codes = [server, mock].map(({ status, body }) => `${status} ${Object(body).code ?? ''}`);
    return [`the server answers ${codes[0]}, the mock ${codes[1]}: ${Object(mock.body).detail}`];
  }
  return [
    ...compare(server.body, mock.body, '', options),
    ...HEADERS.flatMap((name) => compare(server.headers[name], mock.headers[name], name, options)),
  ];
}

function compare(server: unknown, mock: unknown, at: string, options: CompareOptions): string[] {
  if (typeof server === 'string' && typeof mock === 'string') {
    return isSameText(server, mock, at, options) ? [] : [fault(at, server, mock)];
  }
  if (Array.isArray(server) && Array.isArray(mock)) return compareLists(server, mock, at, options);
  if (!isObject(server) || !isObject(mock)) {
    return Object.is(server, mock) ? [] : [fault(at, server, mock)];
  }
  const keys = new Set([...Object.keys(server), ...Object.keys(mock)]);
  return [...keys]
    .filter((key) => !OWN.has(key))
    .flatMap((key) => compare(own(server, key), own(mock, key), `${at}/${key}`, options));
}

/** A key of every name, `__proto__` included. */
function own(value: object, key: string): unknown {
  return Object.getOwnPropertyDescriptor(value, key)?.value;
}

function compareLists(
  server: readonly unknown[],
  mock: readonly unknown[],
  at: string,
  options: CompareOptions,
): string[] {
  if (server.length !== mock.length) return [`${at} has ${server.length} and ${mock.length} items`];
  const partners = options.isAnyOrder ? inOrderOf(server, mock, options) : mock;
  return server.flatMap((item, index) => compare(item, partners[index], `${at}/${index}`, options));
}

/** The mock's items in the order of the server's, as far as their ids are known. */
function inOrderOf(
  server: readonly unknown[],
  mock: readonly unknown[],
  { names }: CompareOptions,
): readonly unknown[] {
  const byId = new Map(mock.map((item) => [keyOf(item, (id) => id), item]));
  const found = server.map((item) => byId.get(keyOf(item, (id) => names.mockOf(id) ?? id)));
  const areTold = byId.size === mock.length && !found.includes(undefined);
  return areTold ? found : mock;
}

/** What makes an item one of a kind; an edge of the access graph is so by its two ends. */
function keyOf(item: unknown, name: (id: string) => string): string {
  if (!isObject(item)) return JSON.stringify(typeof item === 'string' ? name(item) : item);
  const { id, applicationId, integrationId } = item as Readonly<Record<string, unknown>>;
  return JSON.stringify(
    [id, applicationId, integrationId].map((value) => typeof value === 'string' && name(value)),
  );
}

function isSameText(server: string, mock: string, at: string, { names }: CompareOptions): boolean {
  if (names.mockOf(server) === mock) return true;
  if (OWNERS.some(([owner, pattern]) => server === owner && pattern.test(mock))) return true;
  if (ID.test(server) && ID.test(mock)) return names.bind(server, mock);
  if (INSTANT.test(server) && INSTANT.test(mock)) return true;
  if (SECRET.test(server) && SECRET.test(mock)) return names.bind(server, mock);
  if (LINK.test(server) && LINK.test(mock)) return names.bind(server, mock);
  if (at.endsWith('/nextCursor')) return names.bind(server, mock);
  return (
    names.translate(server).replace(/^https?:\/\/[^/]+/, '') ===
    mock.replace(/^https?:\/\/[^/]+/, '')
  );
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function fault(at: string, server: unknown, mock: unknown): string {
  return `${at || 'the body'} is ${JSON.stringify(server)} at the server, ${JSON.stringify(mock)} at the mock`;
}
