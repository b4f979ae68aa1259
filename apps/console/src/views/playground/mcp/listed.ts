import { isJsonObject, type JsonObject } from '@gatehouse/contract';
import { type Headers, mirroredParams } from './messages.ts';

/** What servers list, by the names of their capabilities. */
export const KINDS = ['tools', 'prompts', 'resources'] as const;
export type Kind = (typeof KINDS)[number];

/** A tool, prompt, resource or resource template as its server lists it. Everything in it was written by others. */
export interface Listed {
  readonly kind: Kind;
  /** Its URI if it is a resource, its URI template if it is such a template. */
  readonly name: string;
  readonly title: string | undefined;
  readonly description: string | undefined;
  /** What it takes, as a JSON schema. */
  readonly inputSchema: unknown;
}

/** A list of a server. */
export interface List {
  readonly method: string;
  /** The member of its result. */
  readonly member: string;
  readonly read: (entry: JsonObject) => Pick<Listed, 'inputSchema'> & { readonly name: unknown };
  /** Whether a server that has the capability may lack the method. */
  readonly isOptional?: true;
}

const TEMPLATES: List = {
  method: 'resources/templates/list',
  member: 'resourceTemplates',
  read: ({ uriTemplate }) => ({ name: uriTemplate, inputSchema: schemaOfTemplate(uriTemplate) }),
  isOptional: true,
};

/** Those of each kind, in the order in which they are shown. */
export const LISTS: Readonly<Record<Kind, readonly List[]>> = {
  tools: [
    {
      method: 'tools/list',
      member: 'tools',
      read: ({ name, inputSchema }) => ({ name, inputSchema }),
    },
  ],
  prompts: [
    {
      method: 'prompts/list',
      member: 'prompts',
      read: ({ name, arguments: args }) => ({ name, inputSchema: schemaOfPrompt(args) }),
    },
  ],
  resources: [
    {
      method: 'resources/list',
      member: 'resources',
      read: ({ uri }) => ({ name: uri, inputSchema: undefined }),
    },
    TEMPLATES,
  ],
};

/** Each argument of a prompt is a text. */
function schemaOfPrompt(args: unknown): JsonObject {
  const named = (Array.isArray(args) ? args : []).filter(
    (arg) => isJsonObject(arg) && typeof arg.name === 'string',
  );
  return {
    type: 'object',
    properties: Object.fromEntries(
      named.map(({ name, title, description }) => [name, { type: 'string', title, description }]),
    ),
    required: named.flatMap(({ name, required }) => (required === true ? [name] : [])),
  };
}

/** The person fills the template in. */
function schemaOfTemplate(uriTemplate: unknown): JsonObject {
  const uri = { type: 'string', title: 'URI', default: String(uriTemplate) };
  return { type: 'object', properties: { uri }, required: ['uri'] };
}

/** The entries of a list in its result; what is no entry is left out. */
export function listedIn(kind: Kind, { member, read }: List, result: JsonObject): Listed[] {
  const entries = result[member];
  if (!Array.isArray(entries)) return [];
  return entries.flatMap((entry): Listed[] => {
    if (!isJsonObject(entry)) return [];
    const { name, inputSchema } = read(entry);
    if (typeof name !== 'string') return [];
    // A resource has a name for people besides its URI.
    const title = textOf(entry.title) ?? (kind === 'resources' ? textOf(entry.name) : undefined);
    return [{ kind, name, title, description: textOf(entry.description), inputSchema }];
  });
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

/** How something listed is called. */
export interface CallOf {
  readonly method: string;
  readonly params: JsonObject;
  /** The headers of 2026-07-28 besides its method. */
  readonly mirrored: Headers;
}

export function callOf({ kind, name, inputSchema }: Listed, args: JsonObject): CallOf {
  if (kind === 'resources') {
    const uri = typeof args.uri === 'string' ? args.uri : name;
    return { method: 'resources/read', params: { uri }, mirrored: [['mcp-name', uri]] };
  }
  const params = { name, arguments: args };
  const mirrored: Headers = [['mcp-name', name]];
  return kind === 'prompts'
    ? { method: 'prompts/get', params, mirrored }
    : {
        method: 'tools/call',
        params,
        mirrored: [...mirrored, ...mirroredParams(inputSchema, args)],
      };
}
