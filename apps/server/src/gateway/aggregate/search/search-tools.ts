import type { ListedEntry, SplicedList } from '../../../mcp/aggregate/splice-list.ts';
import { targetOf } from '../../../mcp/aggregate/target-of.ts';
import type { Era } from '../../../mcp/era.ts';
import { paramHeadersOf } from '../../../mcp/param-headers.ts';
import { type UnwrappedCall, unwrapCall } from '../../../mcp/search/unwrap-call.ts';
import { fieldsOf, type RpcRequest } from '../../../mcp/server/messages.ts';
import type { Reply, WrittenResult } from '../../../mcp/server/reply.ts';
import { textIn } from '../../connect-server/tool.ts';
import {
  type CallIntegrationDeps,
  callIntegration,
  type TargetedMessage,
} from '../call-integration.ts';
import type { InSession } from '../client-call.ts';
import { argumentOf } from '../connect-tool.ts';
import type { AggregateLists } from '../lists/lists.ts';
import type { ListPart } from '../lists/page.ts';
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

/** Bytes of the definitions in one result; there is always room for one of any length. */
const MAX_BYTES = 1024 * 1024;

/** The definitions of tools as `tools/list` would have them, byte for byte, and the same as a text. */
function foundTools(era: Era, tools: readonly ListedEntry[], version: string): readonly Buffer[] {
  const structured = Buffer.from(`{"tools":[${definitionsOf(tools).join(',')}]}`);
  const text = tools.length === 0 ? 'No tool fits. Try other words.' : structured.toString();
  const reply = textIn(era, text, version);
  const members = JSON.stringify('result' in reply ? reply.result : {}).slice(1);
  return [Buffer.from('{"structuredContent":'), structured, Buffer.from(`,${members}`)];
}

function definitionsOf(tools: readonly ListedEntry[]): readonly string[] {
  let bytes = 0;
  const fitting = tools.filter(({ bytes: { length } }, index) => {
    bytes += length;
    return index === 0 || bytes <= MAX_BYTES;
  });
  return fitting.map((tool) => tool.bytes.toString());
}

/** Answers a call of the tool that calls others: from here on it is an ordinary call of the other tool. */
export async function callByName(
  client: InSession,
  { id, nameAt }: TargetedMessage,
  body: Buffer,
  deps: CallIntegrationDeps,
): Promise<void> {
  const call = nameAt === undefined ? 'name is missing.' : await unwrapCall(body, nameAt);
  if (typeof call === 'string') {
    client.call.reply(id, textIn(client.call.era, call, deps.version, true));
    return;
  }
  const paramHeaders = await paramHeadersFor(client, call, deps);
  await callIntegration(client, { ...call.message, id, paramHeaders }, call.body, deps);
}

/** A modern client repeats arguments in headers, but not those that it gives to our tool. */
async function paramHeadersFor(
  client: InSession,
  { message: { name = '' }, given }: UnwrappedCall,
  { lists }: CallIntegrationDeps,
): Promise<NonNullable<TargetedMessage['paramHeaders']>> {
  const target = targetOf(client.application.byAlias, name);
  if (client.call.era === 'legacy' || target === undefined) return {};
  const { list } = await lists.part(client, target.attachment, 'tools');
  const tool = list?.entries.find(({ identifier }) => identifier === name);
  return tool === undefined ? {} : paramHeadersOf(tool.bytes, given);
}
