import { describe, test } from 'vitest';
import type { EventsFilter } from '../../src/audit/events-filter.ts';
import { findCalls } from '../../src/audit/find-calls.ts';
import { findManagementEvents } from '../../src/audit/find-events.ts';
import {
  findLooseEvents,
  readAllHeads,
  readRecentHeads,
} from '../../src/audit/writing/block-writes.ts';
import type { Db } from '../../src/platform/database/store.ts';
import { AUDITED } from './fill-records.ts';
import { idOf } from './ids.ts';
import { expectIndexed, type Plan } from './plans.ts';

type PlansOf = (work: (db: Db) => Promise<unknown>) => Promise<Plan[]>;

const organizationId = idOf('organization', AUDITED);
const page = { before: undefined, take: 101 };

const FILTERS: Readonly<Record<string, EventsFilter>> = {
  everything: {},
  'a span': { from: '2026-01-01T00:00:00.000Z', to: '2026-02-01T00:00:00.000Z' },
  'a person': { userId: idOf('user', 300) },
  'an integration': { integrationId: idOf('integration', 50_000) },
};

export function describeAudit(plansOf: PlansOf): void {
  describe('the audit', () => {
    test.each(Object.entries(FILTERS))('lists changes of %s by index', async (_what, filter) => {
      const plans = await plansOf((db) => findManagementEvents(db, organizationId, filter, page));
      expectIndexed(plans, { sorted: 1_000 });
    });

    test.each(Object.entries(FILTERS))('lists calls of %s by index', async (_what, filter) => {
      // What is in a body of the fill is no event.
      const find = (db: Db) => findCalls(db, organizationId, filter, page).catch(() => undefined);
      // It looks at 2,000 blocks, whatever they hold.
      expectIndexed(await plansOf(find), { sorted: 2_000, removed: 2_000 });
    });

    test('finds heads, and what no block has, by index', async () => {
      const run = idOf('auditBlock', 0);
      const find = async (db: Db) => {
        await readAllHeads(db);
        await readRecentHeads(db, run, Date.now() - 120_000);
        await findLooseEvents(db, run);
      };
      expectIndexed(await plansOf(find));
    });
  });
}
