import { isAdmin, type PersonCaller } from '../../identity/caller.ts';
import type { Db } from '../../platform/database/store.ts';
import { countSessions } from '../../sessions/count-sessions.ts';
import type { SessionAdmin } from '../../sessions/shown-session.ts';
import { type ApplicationScope, visibleTo } from '../applications/rules.ts';
import {
  findChangedTools,
  findEndingCertificates,
  findEndingTokens,
  findInvalidIntegrations,
} from './attention-repository.ts';
import { type OwnConnections, readOwnConnections } from './own-connections.ts';
import {
  type ApplicationFigures,
  type IntegrationFigures,
  listUsedApplications,
  readApplicationFigures,
  readIntegrationFigures,
} from './repository.ts';

/** What is in use, and what needs attention, as far as one person may see it. */
export interface OverviewRows {
  readonly integrations: IntegrationFigures;
  readonly applications: ApplicationFigures;
  readonly sessions: { readonly active: number; readonly inUse: number };
  readonly own: OwnConnections;
  readonly invalid: Awaited<ReturnType<typeof findInvalidIntegrations>>;
  readonly certificates: Awaited<ReturnType<typeof findEndingCertificates>>;
  readonly tokens: Awaited<ReturnType<typeof findEndingTokens>>;
  readonly changedTools: Awaited<ReturnType<typeof findChangedTools>>;
}

/** Nine statements, however much there is. */
export async function readOverview(
  db: Db,
  sessions: SessionAdmin,
  actor: PersonCaller,
): Promise<OverviewRows> {
  const { organizationId, userId } = actor;
  const scope = visibleTo(actor);
  const own = await readOwnConnections(db, userId);
  return {
    own,
    integrations: await readIntegrationFigures(db, organizationId),
    applications: await readApplicationFigures(db, scope),
    sessions: await countActive(db, sessions, scope),
    // Where the person's own connection is the cause, that says it.
    invalid: await findInvalidIntegrations(
      db,
      organizationId,
      own.toRenew.map(({ integrationId }) => integrationId),
    ),
    certificates: isAdmin(actor) ? await findEndingCertificates(db, organizationId) : [],
    tokens: await findEndingTokens(db, userId),
    changedTools: isAdmin(actor) ? await findChangedTools(db, organizationId) : [],
  };
}

async function countActive(
  db: Db,
  sessions: SessionAdmin,
  scope: ApplicationScope,
): Promise<OverviewRows['sessions']> {
  const counts = await countSessions(db, await listUsedApplications(db, scope), sessions);
  const active = [...counts.values()].map((each) => each.active).filter((count) => count > 0);
  return { active: active.reduce((sum, count) => sum + count, 0), inUse: active.length };
}
