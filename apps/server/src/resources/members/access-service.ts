import type { PersonCaller } from '../../identity/caller.ts';
import type { Db } from '../../platform/database/store.ts';
import { countOpenSessions, type EndedBatch } from '../../sessions/end-sessions.ts';
import { type FoundSession, findSessionsById } from '../../sessions/find-sessions.ts';
import type { SessionAdmin } from '../../sessions/shown-session.ts';
import {
  type AccessLists,
  countGrantedAccess,
  type GrantedAccess,
  listAccess,
  listNamingRules,
  type NamingRules,
  type Newest,
} from './access-repository.ts';
import { requireMember } from './service.ts';

/** What a member has: what ends and what stays when they are removed. */
export interface MemberHoldings extends GrantedAccess {
  readonly lists: AccessLists;
  readonly open: EndedBatch;
  readonly recentSessions: readonly FoundSession[];
  readonly rules: Newest<NamingRules>;
}

/** @throws ProblemError `not_found` */
export async function readAccess(
  db: Db,
  { sessions }: { readonly sessions: SessionAdmin },
  actor: PersonCaller,
  id: string,
): Promise<MemberHoldings> {
  await requireMember(db, actor, id);
  const { organizationId } = actor;
  const filter = { organizationId, userId: id };
  const lists = await listAccess(db, id);
  const granted = await countGrantedAccess(db, id);
  const rules = await listNamingRules(db, organizationId, id);
  const open = await countOpenSessions(db, filter, sessions);
  const recentSessions = await findSessionsById(db, open.newest, filter, sessions);
  return { lists, ...granted, rules, open, recentSessions };
}
