import { deepStrictEqual } from 'node:assert/strict';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Reference } from '../../../src/mcp/envelope/message.ts';
import { readEnvelope } from '../../../src/mcp/envelope/read-envelope.ts';
import type { Span } from '../../../src/mcp/json/node.ts';
import { blank } from '../support/json-arbitrary.ts';

/** An object as its members in order, which may repeat keys. */
type Node = string | number | null | Members;
type Members = readonly (readonly [key: string, value: Node])[];

const ONCE: Readonly<Record<string, readonly string[]>> = {
  top: ['jsonrpc', 'id', 'method', 'params'],
  params: ['name', 'uri', 'ref', 'task'],
  ref: ['type', 'name', 'uri'],
};

const isMembers = (value: Node | undefined): value is Members => Array.isArray(value);

/** Whether the object, or one in it that counts, has a key that two parsers may read differently. */
function isAmbiguous(members: Members, place: string): boolean {
  const fold = (key: string) => key.replaceAll('\0', '').toLowerCase().toUpperCase();
  const once = ONCE[place] ?? [];
  const misspelt = members.some(([key]) =>
    once.some((known) => fold(known) === fold(key) && known !== key),
  );
  const repeated = once.some((known) => members.filter(([key]) => key === known).length > 1);
  const next = place === 'top' ? 'params' : place === 'params' ? 'ref' : undefined;
  const inner = next && members.find(([key]) => key === next)?.[1];
  return misspelt || repeated || (isMembers(inner) && isAmbiguous(inner, next ?? ''));
}

const get = (members: Node | undefined, key: string): Node | undefined =>
  isMembers(members) ? members.find(([name]) => name === key)?.[1] : undefined;
const textOf = (value: Node | undefined) => (typeof value === 'string' ? value : undefined);

/** What must be read of a message, by its members. */
function expected(top: Members): unknown {
  if (isAmbiguous(top, 'top')) return 'unreadable';
  const method = get(top, 'method');
  const id = get(top, 'id');
  const params = get(top, 'params');
  if (method !== undefined && typeof method !== 'string') return 'unreadable';
  if (isMembers(id)) return 'unreadable';
  if (params !== undefined && !isMembers(params)) return 'unreadable';
  const [name, uri] = [textOf(get(params, 'name')), textOf(get(params, 'uri'))];
  const isLacking =
    (method === 'tools/call' && name === undefined) ||
    (method === 'resources/read' && uri === undefined);
  const isOdd = (key: string) =>
    get(params, key) !== undefined && textOf(get(params, key)) === undefined;
  if (isLacking && (isOdd('name') || isOdd('uri'))) return 'unreadable';
  const ref = get(params, 'ref');
  return {
    isLacking,
    id: id === undefined ? undefined : JSON.stringify(id),
    method,
    name,
    uri,
    ref: isMembers(ref)
      ? {
          type: textOf(get(ref, 'type')),
          name: textOf(get(ref, 'name')),
          uri: textOf(get(ref, 'uri')),
        }
      : undefined,
    hasTask: get(params, 'task') !== undefined,
    // `_meta` is never an object here.
    progressToken: undefined,
  };
}

const literalOf = (text: string, isEscaped: boolean) =>
  isEscaped
    ? `"${[...text].map((char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}"`
    : JSON.stringify(text);

function print(node: Node, space: string, isEscaped: boolean): string {
  if (!isMembers(node)) return JSON.stringify(node);
  const members = node.map(
    ([key, value]) =>
      `${space}${literalOf(key, isEscaped)}${space}:${space}${print(value, space, isEscaped)}`,
  );
  return `{${members.join(`${space},`)}${space}}`;
}

const odd = ['Name', 'na\0me', 'param\u017f', 'ta\u017fk', 'ID', 'x', 'names', '_meta', ''];
const keysOf = (place: string) =>
  fc.constantFrom(...(ONCE[place] ?? []), ...(ONCE[place] ?? []), ...odd);
const scalar = fc.oneof(
  fc.constantFrom<Node>('a', 'tools/call', 'resources/read', 'ref/prompt', '}{"', 7, null),
  fc.string(),
);
const membersOf = (place: string, value: fc.Arbitrary<Node>, maxLength: number) =>
  fc.array(fc.tuple(keysOf(place), value), { maxLength });
const ref = membersOf('ref', scalar, 3);
const params = membersOf('params', fc.oneof(scalar, scalar, ref), 4);
const member = fc.oneof(
  fc.tuple(keysOf('top'), scalar),
  fc.tuple(fc.constant('params'), params),
  fc.tuple(fc.constant('method'), fc.constantFrom('tools/call', 'resources/read', 'x')),
);
const top = fc.array(member, { maxLength: 4 });

function withoutPlace({ nameAt, ...others }: Reference): Omit<Reference, 'nameAt'> {
  return others;
}

/** What a body holds at a place. */
const textAt = (body: Buffer, at: Span | undefined): unknown =>
  at && JSON.parse(body.toString('utf8', at.start, at.end));

it('an envelope has what the members of its message say, and is unreadable where they are ambiguous', () => {
  const seen = { readable: 0, unreadable: 0 };
  fc.assert(
    fc.property(top, blank, fc.boolean(), (members, space, isEscaped) => {
      const body = Buffer.from(print(members, space, isEscaped));
      const envelope = readEnvelope(body);
      const model = expected(members);
      seen[model === 'unreadable' ? 'unreadable' : 'readable'] += 1;
      if (envelope.kind !== 'message') {
        deepStrictEqual(envelope.kind, model);
        return;
      }
      const { fault, protocolVersion, resourceSubscriptions, idAt, nameAt, ref, ...read } =
        envelope.message;
      const isLacking = fault !== undefined;
      deepStrictEqual({ isLacking, ...read, ref: ref && withoutPlace(ref) }, model);
      deepStrictEqual(idAt && body.toString('utf8', idAt.start, idAt.end), read.id);
      deepStrictEqual(textAt(body, nameAt), read.name);
      deepStrictEqual(textAt(body, ref?.nameAt), ref?.name);
    }),
    { numRuns: 3_000, seed: 37 },
  );
  expect(Math.min(seen.readable, seen.unreadable)).toBeGreaterThan(300);
});
