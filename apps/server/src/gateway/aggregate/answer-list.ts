import type { CursorScope, Cursors } from '../../http/cursor.ts';
import { subjectIdOf } from '../../identity/caller.ts';
import { INVALID_PARAMS } from '../../mcp/errors.ts';
import type { ListKey } from '../../mcp/methods.ts';
import { failed, type Reply, type WrittenResult } from '../../mcp/server/reply.ts';
import { ProblemError } from '../../platform/problem-error.ts';
import type { InSession } from './client-call.ts';
import { connectToolOf } from './connect-tool.ts';
import { type AggregateLists, MAX_FRESH } from './lists/lists.ts';
import { type ListPart, type ListPosition, pageOf, withoutRepeated } from './lists/page.ts';
import { hasSearch, searchToolsOf } from './search/tools.ts';

export interface ListDeps {
  readonly lists: AggregateLists;
  readonly cursors: Cursors;
}

/** One page of a list. @param cursor as the client sent it */
export async function answerList(
  client: InSession,
  list: ListKey,
  cursor: unknown,
  { lists, cursors }: ListDeps,
): Promise<Reply | WrittenResult> {
  const { call } = client;
  const scope = scopeOf(client, list);
  let from: ListPosition | undefined;
  try {
    from = positionIn(cursor, scope, cursors);
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    return failed(INVALID_PARAMS, `Invalid params: ${error.message}`);
  }
  const parts = await lists.list(client, list);
  const isSearched = list === 'tools' && hasSearch(client.application);
  const { entries, next } = pageOf(isSearched ? [] : parts, list, from);
  const own = list === 'tools' && from === undefined ? ownTools(client, parts) : [];
  const all = [...entries, ...own.map((tool) => Buffer.from(JSON.stringify(tool)))];
  const members = {
    ...(next && { nextCursor: cursors.encode(scope, `${next.attachmentId} ${next.index}`) }),
    ...(call.era === 'modern' && {
      resultType: 'complete',
      ttlMs: Math.min(MAX_FRESH, ...parts.map(({ ttlMs }) => ttlMs)),
      cacheScope: 'private',
    }),
    _meta: { 'gatehouse/integrations': statesOf(parts, list) },
  };
  return written(list, all, members);
}

function ownTools({ application }: InSession, parts: readonly ListPart[]): readonly object[] {
  const connect = connectToolOf(parts) ?? [];
  return [hasSearch(application) ? searchToolsOf(parts) : [], connect].flat();
}

/** How many entries of each integration are listed, and why an integration has no entries. */
function statesOf(parts: readonly ListPart[], list: ListKey): readonly object[] {
  const listed = withoutRepeated(parts, list);
  return parts.map(({ attachment, state }, index) => ({
    id: attachment.integrationId,
    alias: attachment.alias,
    state,
    count: listed[index]?.listed.length ?? 0,
  }));
}

function written(list: ListKey, entries: readonly Buffer[], members: object): WrittenResult {
  const comma = Buffer.from(',');
  const joined = entries.flatMap((entry, index) => (index === 0 ? [entry] : [comma, entry]));
  const rest = `],${JSON.stringify(members).slice(1)}`;
  return { written: [Buffer.from(`{"${list}":[`), ...joined, Buffer.from(rest)] };
}

function scopeOf({ caller, application }: InSession, list: ListKey): CursorScope {
  const actor = { organizationId: caller.organizationId, userId: subjectIdOf(caller) };
  const filters = { applicationId: application.id };
  return { list: `aggregate ${list}`, actor, perUser: true, filters };
}

/** @throws ProblemError `invalid_cursor` */
function positionIn(
  cursor: unknown,
  scope: CursorScope,
  cursors: Cursors,
): ListPosition | undefined {
  if (cursor === undefined) return undefined;
  const [attachmentId = '', index = ''] = cursors.decode(scope, String(cursor)).split(' ');
  return { attachmentId, index: Number(index) };
}
