import { fittingApplications, limits } from '@gatehouse/contract';
import type { Application } from '../../generated/prisma/client.ts';
import type { Db } from '../../platform/database/store.ts';
import { countSessions, type SessionCounts } from '../../sessions/count-sessions.ts';
import type { SessionAdmin } from '../../sessions/shown-session.ts';
import { type AttachedRow, countAttachments, listAttachedIntegrations } from './repository.ts';

/** An application with everything that its body shows. */
export interface ApplicationDetails {
  readonly application: Application;
  readonly integrations: readonly AttachedRow[];
  readonly sessions: SessionCounts;
}

const NO_SESSIONS: SessionCounts = { active: 0, idle: 0, live: 0, total: 0 };

export async function readApplicationDetails(
  db: Db,
  sessions: SessionAdmin,
  application: Application,
): Promise<ApplicationDetails> {
  const { id, organizationId } = application;
  const integrations = await listAttachedIntegrations(db, organizationId, [id]);
  const counts = await countSessions(db, [id], sessions);
  return { application, integrations, sessions: counts.get(id) ?? NO_SESSIONS };
}

/**
 * The number of applications to show on a page: many with hundreds of integrations each would take
 * seconds.
 */
export async function countFitting(db: Db, applications: readonly Application[]): Promise<number> {
  // The limit cannot be exceeded by this few applications, so nothing is counted.
  const most = applications.length * limits.attachedIntegrations;
  if (most <= limits.pageAttachments) return applications.length;
  const counts = await countAttachments(
    db,
    applications.map(({ id }) => id),
  );
  return fittingApplications(applications.map(({ id }) => counts.get(id) ?? 0));
}

/** The details of a page of applications of one organization, in two statements. */
export async function listApplicationDetails(
  db: Db,
  sessions: SessionAdmin,
  organizationId: string,
  applications: readonly Application[],
): Promise<ApplicationDetails[]> {
  if (applications.length === 0) return [];
  const ids = applications.map(({ id }) => id);
  const attached = new Map<string, AttachedRow[]>(ids.map((id) => [id, []]));
  for (const row of await listAttachedIntegrations(db, organizationId, ids)) {
    attached.get(row.applicationId)?.push(row);
  }
  const counts = await countSessions(db, ids, sessions);
  return applications.map((application) => ({
    application,
    integrations: attached.get(application.id) ?? [],
    sessions: counts.get(application.id) ?? NO_SESSIONS,
  }));
}
