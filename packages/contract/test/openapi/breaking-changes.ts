import { compareOpenApi, type Diff } from 'api-smart-diff';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/index.ts';

/**
 * What a program written for the `released` document may not survive in the `current` one, a line for
 * each. The API only adds: answers may gain fields and words; requests are refused for unknown fields.
 */
export function breakingChanges(released: JsonObject, current: JsonObject): string[] {
  const lines = compareOpenApi(comparable(released), comparable(current))
    // Components count where they are used.
    .diffs.filter(({ path }) => path[0] === 'paths' || path[0] === 'security')
    .filter(isBreaking)
    .map(describe);
  return [...new Set(lines)];
}

/**
 * Without texts and examples, and without the types of read-only fields in bodies: what is sent there is
 * not used. A default is compared in the words that the document has for it.
 */
function comparable(document: JsonObject): JsonObject {
  const walk = (value: JsonValue): JsonValue => {
    if (Array.isArray(value)) return value.map(walk);
    if (!isJsonObject(value)) return value;
    if (value.readOnly === true) return { readOnly: true };
    const standard = defaultIn(value);
    const entries = Object.entries(value).filter(
      ([key, child]) =>
        !(key === 'description' && typeof child === 'string') &&
        !(key.startsWith('example') && value.schema !== undefined),
    );
    const walked = Object.fromEntries(entries.map(([key, child]) => [key, walk(child)]));
    return standard === undefined ? walked : { ...walked, default: standard };
  };
  return Object.fromEntries(Object.entries(document).map(([key, child]) => [key, walk(child)]));
}

/** The default of a schema in words; that of a body is in its description. */
function defaultIn({ default: value, description }: JsonObject): string | undefined {
  if (value !== undefined && !isJsonObject(value)) {
    return JSON.stringify(value).replaceAll('"', '');
  }
  return /Default: `(.*)`\.$/.exec(typeof description === 'string' ? description : '')?.[1];
}

/** In `path`: paths, the path, the method, the part of the operation, and on into it. */
const PART = 3;

function isBreaking({ path, action, type }: Diff): boolean {
  const isInLibrary = type === 'breaking';
  switch (path[PART]) {
    case undefined:
      return isInLibrary || action === 'remove';
    case 'operationId':
      return true;
    // The library turns its rules for requests round, and so takes a new type for harmless.
    case 'responses':
      return isListed(BREAKING_IN_ANSWERS, path, action);
    case 'requestBody':
      return isInLibrary || isListed(BREAKING_IN_BODIES, path, action);
    default:
      return isInLibrary || isListed(BREAKING_IN_PARAMETERS, path, action);
  }
}

type Rules = Readonly<Record<string, readonly string[]>>;

const ANY = ['add', 'remove', 'replace'];

const BREAKING_IN_ANSWERS: Rules = {
  responses: ['remove'],
  headers: ['remove'],
  content: ['remove'],
  properties: ['remove'],
  required: ['remove'],
  type: ANY,
  const: ['add', 'replace'],
  format: ANY,
  items: ['add', 'remove'],
  anyOf: ['add'],
  oneOf: ['add'],
};

const BREAKING_IN_PARAMETERS: Rules = { type: ANY };

const BREAKING_IN_BODIES: Rules = {
  requestBody: ['add'],
  properties: ['remove'],
  type: ANY,
  anyOf: ['remove'],
  oneOf: ['remove'],
};

/** Hold named or numbered things: a change in them is one of such a thing, whatever its name. */
const CONTAINERS = new Set(
  'responses headers content properties required enum anyOf oneOf'.split(' '),
);

function isListed(rules: Rules, path: Diff['path'], action: string): boolean {
  const [container = '', last = ''] = path.slice(-2).map(String);
  const keyword = CONTAINERS.has(container) ? container : last;
  return rules[keyword]?.includes(action) ?? false;
}

/** Such as `PATCH /integrations/{id} requestBody: properties/name/maxLength replaced (200, 100)`. */
function describe({ path, action, before, after }: Diff): string {
  const [root = '', route = root, method = '', part = '', ...rest] = path.map(String);
  const isNumbered = part === 'responses' || part === 'parameters';
  const where = [method.toUpperCase(), route, part, isNumbered ? rest[0] : ''];
  const inside = rest.slice(rest.includes('schema') ? rest.indexOf('schema') + 1 : 0).join('/');
  const values = [before, after].map(asText).filter(Boolean).join(', ');
  const what = [inside, PAST[action], values && `(${values})`];
  return `${where.filter(Boolean).join(' ')}: ${what.filter(Boolean).join(' ')}`;
}

function asText(value: unknown): string {
  if (isJsonObject(value)) return String(value.name ?? value.$ref ?? '');
  return typeof value === 'object' || value === undefined ? '' : String(value);
}

const PAST: Readonly<Record<string, string>> = {
  add: 'added',
  remove: 'removed',
  replace: 'replaced',
  rename: 'renamed',
};
