import { connectionReasonLabels } from '@gatehouse/contract';
import type { Connection } from '@gatehouse/sdk';
import type { ReactNode } from 'react';
import { entryOf, labelOf, sentenceOf } from '../../api/labels.ts';
import { Status } from '../../components/status.tsx';
import { Time } from '../../components/time.tsx';

/** Whether a person's connection works as it is. */
export function isWorking({ connected, reason }: Connection): boolean {
  return connected && reason === undefined;
}

/** Whether something was stored once that no longer works. */
export function isBroken({ reason }: Connection): boolean {
  return reason !== undefined;
}

export function ConnectionStatus({ connection }: { connection: Connection }) {
  const { reason } = connection;
  if (reason !== undefined) {
    return <Status tone="warn">{labelOf(connectionReasonLabels, reason)}</Status>;
  }
  if (connection.connected) return <Status tone="ok">Connected</Status>;
  return <Status tone="idle">Not connected</Status>;
}

const REVOCATIONS: Readonly<Record<string, string>> = {
  pending: 'The grant is being revoked at the provider.',
  revoked: 'The grant is revoked at the provider too.',
  failed: 'The provider did not revoke the grant. End it in your account there.',
  not_supported: 'The provider cannot revoke grants. End it in your account there.',
};

/** The state of a connection in words: as whom, until when, and what is wrong. */
export function ConnectionSentence({ connection }: { connection: Connection }): ReactNode {
  const { connected, displayName, expiresAt, reason, revocation } = connection;
  if (reason !== undefined) return sentenceOf(connectionReasonLabels, reason);
  if (!connected) return revocation && entryOf(REVOCATIONS, revocation.status);
  return (
    <>
      {displayName === undefined ? 'Your credential is stored.' : `As ${displayName}.`}
      {expiresAt !== undefined && (
        <>
          {' '}
          It ends <Time at={expiresAt} />.
        </>
      )}
    </>
  );
}
