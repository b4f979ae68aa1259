import { isJsonObject, type JsonObject } from '@gatehouse/contract';
import { EgressError } from '../../egress/errors.ts';
import { type ListKey, listKeys, mcpLists } from '../methods.ts';
import type { McpResponse } from './client.ts';
import { type ListedTool, listedToolsOf } from './listed-tools.ts';
import { resultOf } from './messages.ts';
import { MAX_LISTED, readPages } from './read-pages.ts';

export type ListedKind = (typeof mcpLists)[ListKey]['kind'];

/**
 * The entries of a server's lists. A kind that the server does not declare is empty; a kind that it declares and
 * did not list is absent.
 */
export type Lists = { readonly [Kind in ListedKind]?: readonly JsonObject[] } & {
  /** The kinds that may have more entries: a page did not come, or there are more than are read. */
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
  const read = async (key: ListKey): Promise<List | undefined> => {
    const { capability, method } = mcpLists[key];
    if (capabilities[capability] === undefined) return NOTHING;
    const first = await responseTo(requestPage(method, {}));
    return first && listFrom(key, first, requestPage);
  };
  const readTools = () =>
    firstTools === undefined ? NOTHING : listFrom('tools', firstTools, requestPage);
  const listed: (List & { readonly kind: ListedKind })[] = [];
  for (const key of listKeys) {
    const list = await (key === 'tools' ? readTools() : read(key));
    if (list !== undefined) listed.push({ kind: mcpLists[key].kind, ...list });
  }
  const listedTools = listed.flatMap(({ tools }) => tools);
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
  key: ListKey,
  first: McpResponse,
  requestPage: RequestPage,
): Promise<List | undefined> {
  if (resultOf(first.response) === undefined) return undefined;
  const { method } = mcpLists[key];
  const tools: ListedTool[] = [];
  const request = async (cursor: string | undefined) => {
    const page = cursor === undefined ? first : await responseTo(requestPage(method, { cursor }));
    const result = resultOf(page?.response);
    if (page === undefined || result === undefined) return 'absent';
    if (key === 'tools') tools.push(...listedToolsOf(page.text));
    const { [key]: listed, nextCursor } = result;
    return {
      entries: Array.isArray(listed) ? listed.filter(isJsonObject) : [],
      nextCursor: typeof nextCursor === 'string' ? nextCursor : undefined,
    };
  };
  const { entries, isPartial } = await readPages(request, (entry) =>
    Buffer.from(JSON.stringify(entry)),
  );
  return { entries, tools: tools.slice(0, MAX_LISTED), isPartial };
}

async function responseTo(request: Promise<McpResponse>): Promise<McpResponse | undefined> {
  try {
    return await request;
  } catch (error) {
    if (error instanceof EgressError) return undefined;
    throw error;
  }
}
