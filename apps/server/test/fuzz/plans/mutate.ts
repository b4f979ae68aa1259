import type { FuzzRequest, Header } from '../request.ts';
import type { Mutation } from './mutation.ts';

/** The request with one thing done to it. */
export function mutate(request: FuzzRequest, mutation: Mutation): FuzzRequest {
  switch (mutation.on) {
    case 'field':
      return withBody(request, editField(textOf(request), mutation.pick, mutation.json));
    case 'unknown field':
      return withBody(request, addField(textOf(request), mutation.name, mutation.json));
    case 'body':
      return withBody(request, mutation.text);
    case 'bytes':
      return withBytes(request, mutation.kind);
    case 'type':
      return {
        ...withHeader(request, 'content-type', mutation.value === null ? [] : [mutation.value]),
        body: request.body ?? Buffer.from('{}'),
      };
    case 'header':
      return withHeader(request, mutation.name, mutation.values);
    case 'host':
      return { ...request, hosts: mutation.values };
    case 'query':
      return { ...request, search: addParameters(request.search, mutation.name, mutation.values) };
    case 'query text':
      return { ...request, search: [request.search, mutation.text].filter(Boolean).join('&') };
    case 'path':
      return { ...request, path: replaceSegment(request, mutation.pick, mutation.text) };
  }
}

/** Longer texts stay as they are: an edit before made them so, and they may nest too deep to be read. */
const LONGEST = 6_000;

const RAW = 'the raw text of the mutation';

function textOf({ body }: FuzzRequest): string {
  return body?.toString() ?? '{}';
}

function withBody(request: FuzzRequest, text: string): FuzzRequest {
  const typed = request.headers.some(([name]) => name === 'content-type')
    ? request
    : withHeader(request, 'content-type', ['application/json']);
  return { ...typed, body: Buffer.from(text) };
}

/** Replaces one value of a JSON text, or leaves it out. A text that is no JSON stays as it is. */
function editField(text: string, pick: number, json: string | null): string {
  if (text.length > LONGEST) return text;
  const root = parse(text);
  const places = placesOf(root);
  const place = places[pick % places.length];
  if (place === undefined) return json ?? '';
  if (json === null) Reflect.deleteProperty(place.parent, place.key);
  else define(place.parent, place.key, RAW);
  return JSON.stringify(root).replace(JSON.stringify(RAW), () => json ?? '');
}

function addField(text: string, name: string, json: string): string {
  if (text.length > LONGEST) return text;
  const root = parse(text);
  const objects = [root, ...placesOf(root).map(({ parent }) => parent)].filter(isObject);
  const parent = objects[name.length % objects.length];
  if (parent === undefined) return json;
  define(parent, name, RAW);
  return JSON.stringify(root).replace(JSON.stringify(RAW), () => json);
}

interface Place {
  readonly parent: object;
  readonly key: string;
}

function placesOf(value: unknown): Place[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, child]) => [
    { parent: value, key },
    ...placesOf(child),
  ]);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A plain assignment to `__proto__` would set the prototype. */
function define(parent: object, key: string, value: unknown): void {
  Object.defineProperty(parent, key, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function withBytes(
  request: FuzzRequest,
  kind: Extract<Mutation, { on: 'bytes' }>['kind'],
): FuzzRequest {
  const text = textOf(request);
  const typed = withBody(request, text);
  switch (kind) {
    case 'invalid utf-8':
      return {
        ...typed,
        body: Buffer.concat([Buffer.from('{"name":"\xff\xc0', 'latin1'), Buffer.from('"}')]),
      };
    case 'utf-16':
      return { ...typed, body: Buffer.from(text, 'utf16le') };
    case 'too large':
      return { ...typed, body: Buffer.from(`${text}${' '.repeat(1024 * 1024)}`) };
    case 'chunked':
      return { ...request, isChunked: true };
  }
}

function withHeader(request: FuzzRequest, name: string, values: readonly string[]): FuzzRequest {
  const others = request.headers.filter(([found]) => found !== name);
  const added = values.map((value): Header => [name, value]);
  const isAuthorization = name === 'authorization' && values.length > 0;
  return {
    ...request,
    headers: [...others, ...added],
    ...(isAuthorization ? { bearer: undefined } : {}),
  };
}

function addParameters(search: string, name: string, values: readonly string[]): string {
  const added = values.map((value) => `${name}=${value}`);
  return [search, ...added].filter(Boolean).join('&');
}

function replaceSegment({ path, params }: FuzzRequest, pick: number, text: string): string {
  const ids = Object.values(params);
  const id = ids[pick % ids.length];
  return id === undefined ? path : path.replace(id, () => text);
}
