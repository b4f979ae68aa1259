import { isJsonObject, type JsonObject } from '@gatehouse/contract';
import { EgressError } from '../../egress/errors.ts';
import type { McpResponse } from './client.ts';
import { type ListedTool, listedToolsOf } from './listed-tools.ts';
import { resultOf } from './messages.ts';

const MAX_PAGES = 20;
const MAX_ENTRIES = 5_000;

/** How a list is requested, what declares it, and where its entries are. */
const LISTS = {
  tool: { method: 'tools/list', capability: 'tools', entries: 'tools' },
  prompt: { method: 'prompts/list', capability: 'prompts', entries: 'prompts' },
  resource: { method: 'resources/list', capability: 'resources', entries: 'resources' },
  resource_template: {
    method: 'resources/templates/list',
    capability: 'resources',
    entries: 'resourceTemplates',
  },
} as const;

export type ListedKind = keyof typeof LISTS;

/**
 * The entries of a server's lists. A kind that the server does not declare is empty; a kind that it declares and
 * did not list is absent.
 */
export type Lists = { readonly [Kind in ListedKind]?: readonly JsonObject[] } & {
  /** The kinds with a page that did not come: they may have more entries. */
  readonly partial?: readonly ListedKind[];
  /** The tools, as they came. */
  readonly listedTools?: readonly ListedTool[];
};

/** Requests a page of a list. @throws EgressError */
export type RequestPage = (method: string, params: JsonObject) => Promise<McpResponse>;

/**
 * All lists of a server, one after the other.
 *
 * @param firstTools the first page of its tools; undefined if it does not declare any
 */
export async function readLists(
  capabilities: JsonObject,
  firstTools: McpResponse | undefined,
  requestPage: RequestPage,
): Promise<Lists> {
  const read = async (kind: ListedKind) => {
    if (capabilities[LISTS[kind].capability] === undefined) return NOTHING;
    const first = await responseTo(requestPage(LISTS[kind].method, {}));
    return first && listFrom(kind, first, requestPage);
  };
  const found = {
    tool: firstTools === undefined ? NOTHING : await listFrom('tool', firstTools, requestPage),
    prompt: await read('prompt'),
    resource: await read('resource'),
    resource_template: await read('resource_template'),
  };
  const listed = (Object.keys(found) as ListedKind[]).flatMap((kind) => {
    const list = found[kind];
    return list === undefined ? [] : [{ kind, ...list }];
  });
  const listedTools = found.tool?.tools ?? [];
  const partial = listed.filter(({ isPartial }) => isPartial).map(({ kind }) => kind);
  return {
    ...Object.fromEntries(listed.map(({ kind, entries }) => [kind, entries])),
    ...(partial.length > 0 && { partial }),
    ...(listedTools.length > 0 && { listedTools }),
  };
}

interface List {
  readonly entries: readonly JsonObject[];
  readonly tools: readonly ListedTool[];
  readonly isPartial: boolean;
}

const NOTHING: List = { entries: [], tools: [], isPartial: false };

/** From a first page on, which may be no list. Ends at a page that does not come. */
async function listFrom(
  kind: ListedKind,
  first: McpResponse,
  requestPage: RequestPage,
): Promise<List | undefined> {
  const { method, entries: name } = LISTS[kind];
  let page: McpResponse | undefined = first;
  let result = resultOf(first.response);
  if (result === undefined) return undefined;
  const entries: JsonObject[] = [];
  const tools: ListedTool[] = [];
  for (let pages = 1; result !== undefined; pages += 1) {
    const listed = result[name];
    if (Array.isArray(listed)) entries.push(...listed.filter(isJsonObject));
    if (kind === 'tool' && page !== undefined) tools.push(...listedToolsOf(page.text));
    const { nextCursor: cursor } = result;
    if (typeof cursor !== 'string' || pages === MAX_PAGES || entries.length >= MAX_ENTRIES) break;
    page = await responseTo(requestPage(method, { cursor }));
    result = resultOf(page?.response);
  }
  return {
    entries: entries.slice(0, MAX_ENTRIES),
    tools: tools.slice(0, MAX_ENTRIES),
    isPartial: result === undefined,
  };
}

async function responseTo(request: Promise<McpResponse>): Promise<McpResponse | undefined> {
  try {
    return await request;
  } catch (error) {
    if (error instanceof EgressError) return undefined;
    throw error;
  }
}
