import type { ProblemCode } from '@gatehouse/contract';
import type { PageEntry } from '../../../mcp/aggregate/entry-reader.ts';
import { readListPage } from '../../../mcp/aggregate/read-list-page.ts';
import { modernRequest, requestText } from '../../../mcp/client/messages.ts';
import type { Era } from '../../../mcp/era.ts';
import type { ListKey } from '../../../mcp/list-filter/options.ts';
import type { Collected } from '../collected-response.ts';
import { ownRequestId } from '../server-request-ids.ts';
import type { UpstreamFailure } from '../upstream-response.ts';
import { errorIn } from './error-in.ts';

/** The methods of the lists. */
export const LIST_METHODS: Readonly<Record<ListKey, string>> = {
  tools: 'tools/list',
  prompts: 'prompts/list',
  resources: 'resources/list',
  resourceTemplates: 'resources/templates/list',
};

const MAX_PAGES = 50;
const MAX_ENTRIES = 5_000;
/** Of all pages together. */
const MAX_BYTES = 16 * 1024 * 1024;
const METHOD_NOT_FOUND = -32601;

/** Problems of the client for which a list is read: the integration gives it to another client. */
const OF_CLIENT: ReadonlySet<ProblemCode> = new Set<ProblemCode>([
  'session_not_found',
  'unauthenticated',
  'insufficient_scope',
  'forbidden',
]);

/** All pages of a list as an integration sent them. */
export interface ReadList {
  readonly entries: readonly PageEntry[];
  /** The shortest that a page states, in milliseconds. */
  readonly ttlMs: number | undefined;
}

/** Sends a request of ours to the integration. */
export type Ask = (id: string, body: Buffer) => Promise<Collected>;

/** Why a list has not been read: its integration does not give it, or does not give it to this client. */
export type UnreadList = 'failed' | 'refused_client';

/** Reads a list to its end. */
export async function readList(list: ListKey, era: Era, ask: Ask): Promise<ReadList | UnreadList> {
  const entries: PageEntry[] = [];
  let bytes = 0;
  let ttlMs: number | undefined;
  let cursor: string | undefined;
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const id = ownRequestId();
    const answer = await ask(id, requestFor(id, list, era, cursor));
    if (answer.kind !== 'message') return unreadFor(answer);
    bytes += answer.message.length;
    const page = await readListPage(answer.message, list);
    const error = page === 'no_list' ? errorIn(answer.message) : undefined;
    if (pages === 0 && error?.code === METHOD_NOT_FOUND) return { entries: [], ttlMs: undefined };
    if (error?.ownCode === 'session_revoked') return 'refused_client';
    if (typeof page === 'string' || bytes > MAX_BYTES) return 'failed';
    if (entries.length + page.entries.length > MAX_ENTRIES) return 'failed';
    entries.push(...page.entries);
    if (page.ttlMs !== undefined) ttlMs = Math.min(page.ttlMs, ttlMs ?? page.ttlMs);
    cursor = page.nextCursor;
    if (cursor === undefined) return { entries, ttlMs };
  }
  return 'failed';
}

function unreadFor(failure: UpstreamFailure): UnreadList {
  const isOfClient = failure.kind === 'problem' && OF_CLIENT.has(failure.problem.code);
  return isOfClient ? 'refused_client' : 'failed';
}

function requestFor(id: string, list: ListKey, era: Era, cursor: string | undefined): Buffer {
  const method = LIST_METHODS[list];
  const params = cursor === undefined ? {} : { cursor };
  const message = era === 'modern' ? modernRequest(method, params) : { method, params };
  return Buffer.from(requestText(id, message));
}
