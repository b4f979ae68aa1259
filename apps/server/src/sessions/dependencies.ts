import type { Change } from '../platform/changes/changes.ts';
import type { SessionRow } from './repository.ts';

/** The rows whose change makes a node ask again whether a session is open. */
export function dependenciesOf(
  row: Pick<SessionRow, 'id' | 'applicationId' | 'integrationId' | 'userId'>,
): Change[] {
  return [
    { kind: 'session', id: row.id },
    { kind: 'application', id: row.applicationId },
    { kind: 'integration', id: row.integrationId },
    { kind: 'member', id: row.userId },
    { kind: 'connection', id: `${row.integrationId}:${row.userId}` },
  ];
}
