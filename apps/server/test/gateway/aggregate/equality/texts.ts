import { expect } from 'vitest';
import type { Era } from '../../../../src/mcp/era.ts';

/** An integration as the aggregate names it. */
export interface Named {
  readonly id: string;
  readonly alias: string;
  readonly name: string;
}

/** The texts of the objects in the one array of a result. */
export function entriesOf(text: string, key: string): string[] {
  const entries: string[] = [];
  const start = text.indexOf(`"${key}":[`) + key.length + 4;
  let depth = 0;
  let from = 0;
  let isText = false;
  for (let i = start; i < text.length; i += 1) {
    const char = text[i];
    if (isText) {
      if (char === '\\') i += 1;
      else if (char === '"') isText = false;
    } else if (char === '"') isText = true;
    else if (char === '{' || char === '[') {
      if (depth === 0) from = i;
      depth += 1;
    } else if (char === '}' || char === ']') {
      depth -= 1;
      if (depth < 0) break;
      if (depth === 0) entries.push(text.slice(from, i + 1));
    }
  }
  return entries;
}

/** Takes back what the aggregate has changed in an entry. */
export function restored(entry: string, { id, alias, name }: Named): string {
  const mark = `"gatehouse/integration":${JSON.stringify({ id, alias, name })}`;
  expect(entry).toContain(mark);
  return entry
    .replace(`,"_meta":{${mark}}`, '')
    .replace(`${mark},`, '')
    .replace(mark, '')
    .replace(`"name":"${alias}__`, '"name":"');
}

/** Without what differs from call to call, such as times and ids. */
export function unvaried(text: string): string {
  return plain(
    text.replace(/"blob":"([\w+/]+=*)"/g, (blob, encoded: string) => {
      const decoded = Buffer.from(encoded, 'base64').toString();
      return decoded === plain(decoded) ? blob : `"blob":"${plain(decoded)}"`;
    }),
  );
}

function plain(text: string): string {
  return text
    .replace(/"requestState":"[^"]*"/g, '"requestState":"STATE"')
    .replace(/\d{4}-\d\d-\d\dT[\d:.-]+Z/g, 'TIME')
    .replace(/\d{1,2}:\d\d:\d\d [AP]M/g, 'TIME')
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'ID');
}

const OF_MODERN_ERA = /^(resultType|ttlMs|cacheScope|io\.modelcontextprotocol\/.*)$/;

/** The values of an answer, without those that only the modern era has. An empty `_meta` says nothing. */
export function valuesOf(text: string, era: Era): unknown {
  const { result = {}, error } = JSON.parse(unvaried(text));
  const isKept = ([key]: [string, unknown]) => era === 'legacy' || !OF_MODERN_ERA.test(key);
  const { _meta = {}, ...members } = Object.fromEntries(Object.entries(result).filter(isKept));
  const meta = Object.entries(_meta as object).filter(isKept);
  const own = meta.length === 0 ? {} : { _meta: Object.fromEntries(meta) };
  return { ...members, ...own, ...(error !== undefined && { error }) };
}
