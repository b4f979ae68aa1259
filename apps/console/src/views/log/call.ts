import type { AuditEvent } from '@gatehouse/sdk';

/** What a call adds to an event. */
export interface Call {
  readonly applicationId: string | undefined;
  readonly integrationId: string | undefined;
  readonly sessionId: string | undefined;
  readonly httpMethod: string | undefined;
  /** Of MCP. */
  readonly method: string | undefined;
  /** Of the tool or prompt, or the scheme and host of the resource. */
  readonly name: string | undefined;
  /** Where the credential came from. */
  readonly credential: string | undefined;
  /** Of HTTP; 0 if no response was begun. */
  readonly status: number;
  readonly reasons: readonly string[];
  readonly ms: number;
  readonly bytesIn: number;
  readonly bytesOut: number;
}

/** Milliseconds; undefined for what is no call to an MCP server, and for a call that has not ended. */
export function tookOf(event: AuditEvent): number | undefined {
  return event.action === 'call' && event.outcome !== 'begun' ? callOf(event)?.ms : undefined;
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined);
const countOf = (value: unknown) => (typeof value === 'number' ? value : 0);

/** Undefined for a change. */
export function callOf({ kind, details }: AuditEvent): Call | undefined {
  if (kind !== 'call') return undefined;
  const { reasons } = details;
  return {
    applicationId: textOf(details.applicationId),
    integrationId: textOf(details.integrationId),
    sessionId: textOf(details.sessionId),
    httpMethod: textOf(details.httpMethod),
    method: textOf(details.method),
    name: textOf(details.name) ?? textOf(details.uri),
    credential: textOf(details.credential),
    status: countOf(details.status),
    reasons: Array.isArray(reasons) ? reasons.filter((each) => typeof each === 'string') : [],
    ms: countOf(details.ms),
    bytesIn: countOf(details.bytesIn),
    bytesOut: countOf(details.bytesOut),
  };
}
