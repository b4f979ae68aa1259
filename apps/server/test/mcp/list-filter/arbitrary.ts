import fc from 'fast-check';
import { blank } from '../support/json-arbitrary.ts';

/** JSON with white space between some of its tokens, and some letters of its strings in escapes. */
function print(value: unknown, space: string, isEscaped: boolean): string {
  const inner = (item: unknown) => `${space}${print(item, space, isEscaped)}${space}`;
  if (Array.isArray(value)) return `[${value.map(inner).join(',') || space}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(([key, item]) => `${inner(key)}:${inner(item)}`);
    return `{${members.join(',') || space}}`;
  }
  const text = JSON.stringify(value);
  return isEscaped && typeof value === 'string'
    ? text.replace(/[a-z]/, (char) =>
        text.includes('\\') ? char : `\\u00${char.charCodeAt(0).toString(16)}`,
      )
    : text;
}

const identifier = fc.constantFrom('a', 'bx', 'x', 'é', '', 'c"x', '{', 'tools');
const other = fc.oneof(
  fc.constantFrom<unknown>({ name: 'x', tools: [{ name: 'x' }] }, [['x']], 1.5, null, '],{'),
  fc.jsonValue({ maxDepth: 2 }),
);
const entry = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.dictionary(fc.constantFrom('k', 'result', 'tools', ''), other, { maxKeys: 2 }),
  },
  { weight: 1, arbitrary: other },
);
const identified = fc
  .tuple(fc.constantFrom('name', 'uri', 'uriTemplate'), identifier, entry, fc.boolean())
  .map(([key, text, rest, isFirst]) => {
    if (typeof rest !== 'object' || rest === null || Array.isArray(rest)) return rest;
    return isFirst ? { [key]: text, ...rest } : { ...rest, [key]: text };
  });
const list = fc.array(fc.oneof(identified, identified, entry), { maxLength: 6 });
const result = fc
  .tuple(
    fc.constantFrom('tools', 'prompts', 'resources', 'resourceTemplates', 'content'),
    fc.oneof(
      { weight: 5, arbitrary: list },
      { weight: 1, arbitrary: fc.constantFrom(null, 1, 'x') },
    ),
    fc.constantFrom(
      {},
      { cacheScope: 'public' },
      { cacheScope: 'private', ttlMs: 1 },
      { _meta: { tools: [{ name: 'x' }] } },
    ),
    fc.boolean(),
  )
  .map(([key, entries, rest, isFirst]) =>
    isFirst ? { [key]: entries, ...rest } : { ...rest, [key]: entries },
  );
const message = fc.oneof(
  { weight: 5, arbitrary: result.map((value) => ({ jsonrpc: '2.0', id: 1, result: value })) },
  { weight: 1, arbitrary: result.map((value) => ({ result: value, id: 'x' })) },
  {
    weight: 1,
    arbitrary: result.map((value) => ({ method: 'x', params: value, tools: [{ name: 'x' }] })),
  },
);

/** A body of one JSON-RPC response or several. */
export const responseText = fc
  .tuple(fc.oneof(message, message, fc.array(message, { maxLength: 3 })), blank, fc.boolean())
  .map(([value, space, isEscaped]) => `${space}${print(value, space, isEscaped)}${space}`);
