import type { ListedEntry, SplicedList } from '../../../mcp/aggregate/splice-list.ts';
import { fieldsOf, type RpcRequest } from '../../../mcp/server/messages.ts';
import type { Reply, WrittenResult } from '../../../mcp/server/reply.ts';
import { textIn } from '../../connect-server/tool.ts';
import type { InSession } from '../client-call.ts';
import { argumentOf } from '../connect-tool.ts';
import type { AggregateLists } from '../lists/lists.ts';
import type { ListPart } from '../lists/page.ts';
import { foundTools } from './results.ts';
import type { ToolIndexes } from './tool-indexes.ts';
import { DEFAULT_FOUND, MAX_FOUND, MAX_QUERY } from './tools.ts';

/** Tools that are searched, the oldest integrations' first. */
const MAX_TOOLS = 10_000;

export interface SearchDeps {
  readonly lists: AggregateLists;
  readonly toolIndexes: ToolIndexes;
  /** Of the service. */
  readonly version: string;
}

interface Search {
  readonly query: string;
  readonly integration: string | undefined;
  readonly limit: number;
}

/** Answers a call of the tool that searches: only what `tools/list` would show this person is found. */
export async function searchTools(
  client: InSession,
  request: RpcRequest,
  { lists, toolIndexes, version }: SearchDeps,
): Promise<Reply | WrittenResult> {
  const { era } = client.call;
  const search = searchIn(fieldsOf(request.params.arguments));
  if (typeof search === 'string') {
    return textIn(era, search, version, true);
  }
  const parts = await lists.list(client, 'tools');
  const { integration } = search;
  const isKnown = parts.some(({ attachment }) => argumentOf(attachment) === integration);
  if (integration !== undefined && !isKnown) {
    const text = 'integration must be one that the description of the tool names.';
    return textIn(era, text, version, true);
  }
  const found = await find(parts, search, toolIndexes);
  return { written: foundTools(era, found, version) };
}

async function find(
  parts: readonly ListPart[],
  { query, integration, limit }: Search,
  toolIndexes: ToolIndexes,
): Promise<readonly ListedEntry[]> {
  const searched = withinLimit(parts);
  const index = await toolIndexes.of(searched.map(({ list }) => list.entries));
  const tools = searched.flatMap(({ list, attachment }) =>
    list.entries.map((tool) => ({ tool, integration: argumentOf(attachment) })),
  );
  const isSought = (position: number): boolean =>
    integration === undefined || tools[position]?.integration === integration;
  return index.search(query, limit, isSought).flatMap((position) => tools[position]?.tool ?? []);
}

type Listed = ListPart & { readonly list: SplicedList };

/** Whole lists. */
function withinLimit(parts: readonly ListPart[]): readonly Listed[] {
  let room = MAX_TOOLS;
  return parts.filter((part): part is Listed => {
    const { length = 0 } = part.list?.entries ?? [];
    if (part.list === undefined || length > room) return false;
    room -= length;
    return true;
  });
}

/** @returns a sentence where the arguments are not what the tool takes */
function searchIn(given: Readonly<Record<string, unknown>>): Search | string {
  const { query, integration, limit = DEFAULT_FOUND } = given;
  if (typeof query !== 'string' || query.trim() === '' || query.length > MAX_QUERY) {
    return `query must be a text of 1 to ${MAX_QUERY} characters.`;
  }
  if (integration !== undefined && typeof integration !== 'string') {
    return 'integration must be a text.';
  }
  const isLimit = typeof limit === 'number' && Number.isInteger(limit);
  if (!isLimit || limit < 1 || limit > MAX_FOUND) {
    return `limit must be a whole number from 1 to ${MAX_FOUND}.`;
  }
  return { query, integration, limit };
}
