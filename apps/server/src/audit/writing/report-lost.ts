import type { Store } from '../../platform/database/store.ts';
import type { WaitingEvents } from './waiting-events.ts';

/** Records how many call events were lost because too many waited. */
export async function reportLost(store: Store, waiting: WaitingEvents): Promise<void> {
  for (const [organizationId, count] of waiting.takeLost()) {
    const via = { kind: 'job', name: 'audit' } as const;
    const actor = { kind: 'service', organizationId, via } as const;
    try {
      await store.transaction(async ({ record }) =>
        record({ action: 'audit.calls_lost', actor, targetId: organizationId, count }),
      );
    } catch (error) {
      waiting.addLost(organizationId, count);
      throw error;
    }
  }
}
