import type { AuditEvent } from '@gatehouse/sdk';
import { lazy, Suspense } from 'react';
import { labelOf } from '../../api/labels.ts';
import { Mono, Pair } from '../../components/pairs.tsx';
import type { Call } from './call.ts';
import { reasonOf } from './reason.ts';

// Rules are read by the whole of zod.
const RefusedBy = lazy(async () => ({ default: (await import('./refused-by.tsx')).RefusedBy }));

const CREDENTIALS: Readonly<Record<string, string>> = {
  none: 'Not needed',
  server_token: 'The shared token',
  connection: "The person's own connection",
  missing: 'Not available',
};

const count = (value: number) => value.toLocaleString('en');

/** How a call went. */
export function CallFacts({ event, call }: { event: AuditEvent; call: Call }) {
  const { reasons, credential, sessionId, status, ms, bytesIn, bytesOut } = call;
  return (
    <>
      {reasons.length > 0 && (
        <Pair name="Why">
          {reasons.map((reason) => (
            <span key={reason} className="block">
              {reasonOf(reason)}
              <Suspense fallback={null}>
                <RefusedBy reason={reason} event={event} call={call} />
              </Suspense>
            </span>
          ))}
        </Pair>
      )}
      {status > 0 && (
        <Pair name="Answer">
          HTTP {status} after {count(ms)} ms
        </Pair>
      )}
      {bytesIn + bytesOut > 0 && (
        <Pair name="Size">
          {count(bytesIn)} bytes sent, {count(bytesOut)} received
        </Pair>
      )}
      {credential !== undefined && (
        <Pair name="Credential">{labelOf(CREDENTIALS, credential)}</Pair>
      )}
      {sessionId !== undefined && (
        <Pair name="Session">
          <Mono>{sessionId}</Mono>
        </Pair>
      )}
    </>
  );
}
