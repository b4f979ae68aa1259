import type { ProblemCode } from '@gatehouse/contract';
import type { PageEntry } from '../../../mcp/aggregate/page-entry.ts';
import { readListPage } from '../../../mcp/aggregate/read-list-page.ts';
import { modernRequest, requestText } from '../../../mcp/client/messages.ts';
import { readPages } from '../../../mcp/client/read-pages.ts';
import type { Era } from '../../../mcp/era.ts';
import { METHOD_NOT_FOUND } from '../../../mcp/errors.ts';
import { type ListKey, mcpLists } from '../../../mcp/methods.ts';
import { type Collected, errorCodeIn } from '../collect.ts';
import { ownRequestId } from '../server-request-ids.ts';
import type { UpstreamFailure } from '../upstream-answer.ts';

/** A server without prompts, say, need not know how to list them. */
const NO_ENTRIES = { entries: [], nextCursor: undefined };

/** Problems of the client for which a list is read: the integration gives it to another client. */
const OF_CLIENT: ReadonlySet<ProblemCode> = new Set<ProblemCode>([
  'session_not_found',
  'unauthenticated',
  'insufficient_scope',
  'forbidden',
]);

/** The pages of a list as an integration sent them. */
export interface ReadList {
  readonly entries: readonly PageEntry[];
  /** There are more than are read. */
  readonly isPartial: boolean;
  /** The shortest that a page states, in milliseconds. */
  readonly ttlMs: number | undefined;
}

/** Sends a request of ours to the integration. */
export type Ask = (id: string, body: Buffer) => Promise<Collected>;

/** Why a list has not been read: its integration does not give it, or does not give it to this client. */
export type UnreadList = 'failed' | 'refused_client';

/** Reads a list, to its end or up to what is read of one. */
export async function readList(list: ListKey, era: Era, ask: Ask): Promise<ReadList | UnreadList> {
  let ttlMs: number | undefined;
  const request = async (cursor: string | undefined) => {
    const id = ownRequestId();
    const answer = await ask(id, requestFor(id, list, era, cursor));
    if (answer.kind !== 'message') return unreadFor(answer);
    const page = await readListPage(answer.message, list);
    const code = page === 'no_list' ? errorCodeIn(answer.message) : undefined;
    if (cursor === undefined && code === METHOD_NOT_FOUND) return NO_ENTRIES;
    if (typeof page === 'string') return 'failed';
    if (page.ttlMs !== undefined) ttlMs = Math.min(page.ttlMs, ttlMs ?? page.ttlMs);
    return page;
  };
  const { failure, entries, isPartial } = await readPages(request, ({ bytes }) => bytes);
  return failure ?? { entries, isPartial, ttlMs };
}

function unreadFor(failure: UpstreamFailure): UnreadList {
  const isOfClient =
    failure.kind === 'problem'
      ? OF_CLIENT.has(failure.problem.code)
      : failure.kind === 'refused' && failure.error.data.code === 'session_revoked';
  return isOfClient ? 'refused_client' : 'failed';
}

function requestFor(id: string, list: ListKey, era: Era, cursor: string | undefined): Buffer {
  const method = mcpLists[list].method;
  const params = cursor === undefined ? {} : { cursor };
  const message = era === 'modern' ? modernRequest(method, params) : { method, params };
  return Buffer.from(requestText(id, message));
}
