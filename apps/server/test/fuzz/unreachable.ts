import { testDatabaseKind } from '../support/database.ts';
import type { OperationId } from './operations.ts';

/** Declared statuses that the generator cannot bring about, and the test that shows them instead. */
export interface Unreachable {
  readonly status: number;
  readonly operations: 'all' | readonly OperationId[];
  /** Only on that database. */
  readonly database?: 'pglite' | 'postgresql';
  readonly because: string;
  /** A file below `apps/server/test`, and the name of a test in it. */
  readonly shownBy: { readonly file: string; readonly test: string };
}

export const unreachable: readonly Unreachable[] = [
  {
    status: 500,
    operations: 'all',
    because: 'it is what the run looks for',
    shownBy: {
      file: 'http/handle-error.test.ts',
      test: 'a failure of ours is 500 without its cause, and logged without its message',
    },
  },
  {
    status: 503,
    operations: 'all',
    because: 'the database stays within reach',
    shownBy: {
      file: 'platform/database/postgresql.store.test.ts',
      test: 'statements and transactions are 503 while the server cannot be reached, and work again after',
    },
  },
  {
    status: 409,
    operations: [
      'integrations.create',
      'integrations.archive',
      'integrations.restore',
      'integrations.deleteOauth',
      'connections.delete',
      'applications.archive',
      'applications.restore',
      'applications.revokeAccess',
      'sessions.revoke',
      'tokens.revoke',
      'members.revokeAccess',
      'grants.end',
    ],
    database: 'pglite',
    because: 'their one conflict is a key that is still running, for which PGlite waits',
    shownBy: {
      file: 'process/two-nodes.slow.test.ts',
      test: 'is in progress at the second while the first is at it, and replayed afterwards',
    },
  },
];

/** Whether the list says that the pair does not occur on the database under test. */
export function isUnreachable(operation: OperationId, status: number): boolean {
  return unreachable.some(
    (pair) =>
      pair.status === status &&
      (pair.operations === 'all' || pair.operations.includes(operation)) &&
      (pair.database ?? testDatabaseKind) === testDatabaseKind,
  );
}
