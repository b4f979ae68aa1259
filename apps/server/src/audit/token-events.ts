import type { CallInput } from './encode-calls.ts';

/** What an event about tokens may tell beside its actor. */
interface Told {
  readonly applicationId?: string;
  readonly integrationId?: string;
  readonly userId?: string | undefined;
  readonly requestId?: string;
  readonly address?: string;
}

/** A connection with tokens of a provider. */
interface Refreshed {
  readonly integrationId: string;
  readonly userId: string;
}

/** Gatehouse has asked a provider for new tokens of a person's connection. @param outcome of the request */
export function refreshEvent({ integrationId, userId }: Refreshed, outcome: string): CallInput {
  return {
    ...eventOf('token.refreshed', { integrationId, userId }),
    actor: { kind: 'service', id: null, name: null, via: { kind: 'job', id: 'refresh' } },
    target: { kind: 'integration', id: integrationId, name: null },
    outcome,
  };
}

/** Who got tokens at the token endpoint: an application for itself, or one that acts for a person. */
interface Issued {
  readonly applicationId: string;
  readonly userId?: string | undefined;
  readonly grantId?: string | undefined;
}

/** The token endpoint has issued tokens. */
export function issueEvent(
  { applicationId, userId, grantId }: Issued,
  request: Pick<Told, 'requestId' | 'address'>,
): CallInput {
  const actor =
    userId === undefined
      ? ({ kind: 'application', id: applicationId } as const)
      : ({ kind: 'person', id: userId } as const);
  const via = { kind: userId === undefined ? 'client_credentials' : 'grant', id: grantId ?? null };
  return {
    ...eventOf('token.issued', { applicationId, userId, ...request }),
    actor: { ...actor, name: null, via },
    target: { kind: 'application', id: applicationId, name: null },
    outcome: 'issued',
  };
}

function eventOf(action: CallInput['action'], told: Told) {
  const { applicationId = null, integrationId = null, userId = null } = told;
  return {
    at: Date.now(),
    action,
    requestId: told.requestId ?? null,
    address: told.address ?? null,
    details: {
      ...{ applicationId, integrationId, userId, sessionId: null },
      ...{ httpMethod: null, method: null, name: null, uri: null, credential: null },
      ...{ status: 0, reasons: [], ms: 0, bytesIn: 0, bytesOut: 0 },
    },
  };
}
