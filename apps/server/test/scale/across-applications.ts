import { limits } from '@gatehouse/contract';
import { describe, expect, test } from 'vitest';
import { listConnections } from '../../src/credentials/list-connections.ts';
import type { PersonCaller } from '../../src/identity/caller.ts';
import type { Db } from '../../src/platform/database/store.ts';
import { countConnections } from '../../src/resources/integrations/repository.ts';
import {
  countGrantedAccess,
  listAccess,
  listNamingRules,
} from '../../src/resources/members/access-repository.ts';
import { readOverview } from '../../src/resources/overview/service.ts';
import { countOpenSessions, endSessions } from '../../src/sessions/end-sessions.ts';
import { findSessions, type SessionsFilter } from '../../src/sessions/find-sessions.ts';
import { defaultWindows } from '../../src/sessions/windows.ts';
import { TESTER, unrecorded } from '../support/events.ts';
import { BUSY, BUSY_APPLICATION, MIDDLE_OF_LISTED } from './fill.ts';
import { idOf } from './ids.ts';
import { buffersOf, expectIndexed, PAGE, type Plan } from './plans.ts';

type PlansOf = (work: (db: Db) => Promise<unknown>) => Promise<Plan[]>;

const organizationId = idOf('organization', BUSY);
const userId = idOf('user', BUSY);
const applicationId = idOf('application', BUSY_APPLICATION);
const integrationId = idOf('integration', BUSY_APPLICATION);
const local = { nodeId: userId, live: [], active: [] };
const admin = { windows: defaultWindows, viewOf: () => ({ windows: defaultWindows, local }) };

/** Integrations, applications, and tokens of its first user. */
const ROWS_OF_ORGANIZATION = 10_000;

function callerOf(role: 'owner' | 'member'): PersonCaller {
  const via = { kind: 'personal_token', id: idOf('token', 0) } as const;
  const allowed = { scopes: ['management:read'], expiresAt: null, groupIds: [] } as const;
  return { kind: 'person', organizationId, userId, role, via, ...allowed };
}

/** Rows that one read looks at. */
const REACH = 5_000;
/** The sessions, and the leases, of an organization. */
const SESSIONS_OF_ORGANIZATION = 1_500;

/** What admins read across applications, among a million rows. */
export function describeReadsAcrossApplications(plansOf: PlansOf): void {
  describe('a page of sessions across applications', () => {
    const planOf = (filter: SessionsFilter, before: string | undefined, found: number) =>
      plansOf(async (db) => {
        const page = { filter, before, take: PAGE };
        const { rows } = await findSessions(db, page, admin);
        expect(rows).toHaveLength(found);
      });

    test.each([
      ['an organization', { organizationId }],
      ['a person', { organizationId, userId }],
      ['an organization, of one kind', { organizationId, kind: 'session' } as const],
    ])('costs the same at any depth: of %s', async (_, filter) => {
      const first = await planOf(filter, undefined, PAGE);
      const deep = await planOf(filter, idOf('session', MIDDLE_OF_LISTED * 2), PAGE);
      for (const plans of [first, deep]) expectIndexed(plans, { sorted: 2 * PAGE });
      expect(buffersOf(deep)).toBeLessThanOrEqual(buffersOf(first) * 1.5);
    });

    test.each([
      ['an integration', { organizationId, integrationId }],
      ['a state', { organizationId, state: 'revoked' } as const],
      ['a state, of an application', { organizationId, applicationId, state: 'closed' } as const],
      ['open ones', { organizationId, state: 'open' } as const],
    ])('looks at a bounded number of rows for %s', async (_, filter) => {
      const plans = await plansOf((db) =>
        findSessions(db, { filter, before: undefined, take: PAGE }, admin),
      );
      expectIndexed(plans, { sorted: 2 * REACH, removed: 2 * REACH });
    });
  });

  test.each([
    ['an application', { organizationId, applicationId }],
    ['an integration', { organizationId, integrationId }],
    ['a person', { organizationId, userId }],
  ])('the open sessions of %s are counted and ended by index', async (_, filter) => {
    const plans = await plansOf(async (db) => {
      await countOpenSessions(db, filter, admin);
      await endSessions(unrecorded(db), filter, admin, TESTER);
    });
    const removed = SESSIONS_OF_ORGANIZATION;
    expectIndexed(plans, { sorted: SESSIONS_OF_ORGANIZATION, removed });
  });

  test('what is in use and what needs attention is read by index', async () => {
    for (const role of ['owner', 'member'] as const) {
      const plans = await plansOf(async (db) => {
        const { invalid, changedTools } = await readOverview(db, admin, callerOf(role));
        expect(invalid).toHaveLength(limits.namedRows);
        expect(changedTools).toHaveLength(role === 'owner' ? 1 : 0);
      });
      expect(plans.length).toBeLessThanOrEqual(9);
      expectIndexed(plans, { sorted: ROWS_OF_ORGANIZATION, removed: ROWS_OF_ORGANIZATION });
    }
  });

  test('how many have connected each integration of a page is counted by index', async () => {
    const ids = Array.from({ length: PAGE }, (_, n) =>
      idOf('integration', BUSY_APPLICATION - n * 100),
    );
    const plans = await plansOf(async (db) => {
      expect((await countConnections(db, ids)).size).toBe(PAGE);
    });
    expectIndexed(plans, { sorted: 10 * PAGE });
    expect(plans).toHaveLength(1);
  });

  test('who has connected an integration is read by index', async () => {
    const plans = await plansOf(async (db) => {
      const integration = await db.integration.findUniqueOrThrow({ where: { id: integrationId } });
      const page = { before: undefined, take: PAGE };
      await listConnections(db, integration, { status: 'connected' }, page);
    });
    expectIndexed(plans);
  });

  test('what a member has is read by index, and counted from their own rows', async () => {
    const plans = await plansOf(async (db) => {
      await listAccess(db, userId);
      await countGrantedAccess(db, userId);
      await listNamingRules(db, organizationId, userId);
    });
    expectIndexed(plans, { sorted: 20_000, removed: 20_000 });
  });
}
