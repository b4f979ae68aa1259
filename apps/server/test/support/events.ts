import { managementEventSchema } from '@gatehouse/contract';
import { service } from '../../src/identity/actor.ts';
import type { Change } from '../../src/platform/changes/changes.ts';
import type { Store, Tx } from '../../src/platform/database/store.ts';

/** Who acts where a test calls a domain directly. */
export const TESTER = service('00000000-0000-7000-8000-000000000000', 'start');

/** A transaction's client for tests of what is written, not of what is recorded or announced. */
export function unrecorded(db: Tx['db']): Tx {
  return { db, record: () => {}, announce: () => {} };
}

/** Files that open a transaction which changes such a row without an event, and why. */
const WITHOUT_EVENT: Readonly<Record<string, string>> = {
  'credentials/connection-reports.ts': 'what calls say about a credential grows with traffic',
  'credentials/oauth/refresh/record.ts': 'so do renewed tokens; the end of a grant is recorded',
  'credentials/want-scopes.ts': 'scopes that a call lacked give nobody anything',
  'eras/write-eras.ts': 'what an upstream says of itself gives nobody anything',
};

const RECORDED: ReadonlySet<Change['kind']> = new Set([
  'member',
  'application',
  'integration',
  'connection',
  'token',
]);

/**
 * A store with transactions that fail if the service announces a change of a member, application, integration,
 * connection, token or grant without recording an event, or records one that the contract does not have.
 * Direct changes by a test are not checked.
 */
export function requiringEvents(store: Store): Store {
  return {
    ...store,
    transaction(work) {
      const opener = serviceFileThatCalls();
      const isChecked = opener !== undefined && WITHOUT_EVENT[opener] === undefined;
      return store.transaction(async (tx) => {
        const announced: Change[] = [];
        let events = 0;
        const result = await work({
          db: tx.db,
          announce(...changes) {
            announced.push(...changes.filter(({ kind }) => RECORDED.has(kind)));
            tx.announce(...changes);
          },
          record(event) {
            events += 1;
            tx.record(managementEventSchema.parse(event));
          },
        });
        if (isChecked && announced.length > 0 && events === 0) {
          const kinds = announced.map(({ kind }) => kind).join(', ');
          throw new Error(`${opener} announces a change of ${kinds} and records no event`);
        }
        return result;
      });
    },
  };
}

/** Relative to `src`; undefined when a test calls. */
function serviceFileThatCalls(): string | undefined {
  const frames = new Error().stack?.split('\n').filter((line) => /\.ts:\d+/.test(line)) ?? [];
  const caller = frames.find((line) => !line.includes('/test/support/events.ts'));
  return caller?.match(/\/server\/src\/(.+?\.ts):/)?.[1];
}
