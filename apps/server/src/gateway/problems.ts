import { type PolicyReason, policyMessage, serverFailures } from '@gatehouse/contract';
import type { Logger } from 'pino';
import { failureForCaller } from '../credentials/failures.ts';
import { type EgressErrorReason, toEgressError } from '../egress/errors.ts';
import { type Caller, subjectIdOf } from '../identity/caller.ts';
import { STREAM_ENDED } from '../mcp/errors.ts';
import type { RpcRefusal } from '../mcp/server/reply.ts';
import { ProblemError } from '../platform/problem-error.ts';
import { logRefusal, type RefusalLog } from '../policy/log-refusal.ts';
import type { CallOutcome } from './call-record.ts';

/** Whom rules refuse a call, and of what. */
export interface RefusedCaller {
  readonly caller: Caller;
  readonly route: { readonly applicationId: string; readonly integrationId: string };
}

/** A call as the log of refusals names it. */
interface RefusedCall {
  readonly requestId: string;
  readonly request: { readonly method?: string | undefined };
}

/** Writes down that rules have refused a call. */
export function logRefusedCall(
  log: RefusalLog,
  { requestId, request }: RefusedCall,
  { caller, route: { applicationId, integrationId } }: RefusedCaller,
  reasons: readonly PolicyReason[],
): void {
  const ids = { userId: subjectIdOf(caller), applicationId, integrationId };
  logRefusal(log, { requestId, method: request.method ?? '', ...ids, reasons });
}

export function bodyTooLarge(limit: number): ProblemError {
  return new ProblemError('payload_too_large', `A request body may have at most ${limit} bytes.`);
}

export function noRoomForBody(): ProblemError {
  return new ProblemError(
    'overloaded',
    'The service has too many request bodies in hand. Try again shortly.',
    { headers: { 'Retry-After': '1' } },
  );
}

export function responseTooLarge(): ProblemError {
  return new ProblemError(
    'upstream_response_too_large',
    'The response of the integration is larger than the gateway relays.',
  );
}

function upstreamUnreachable(): ProblemError {
  return new ProblemError(
    'upstream_unreachable',
    'The integration could not be reached, or closed the connection.',
  );
}

/** The credential must not be sent to another address, and an MCP client could not follow. */
export function upstreamRedirects(status: number): ProblemError {
  return new ProblemError(
    'upstream_redirected',
    failureForCaller(serverFailures.redirected, String(status)),
  );
}

/** 405 to GET means that there is no stream: clients continue without one (2025-11-25 transports, "Listening for Messages from the Server"). */
export function noStream(detail: string): ProblemError {
  return new ProblemError('method_not_allowed', detail, {
    headers: { Allow: 'POST, DELETE, OPTIONS' },
  });
}

/** 405 to any method but POST (2026-07-28 transports, "Streamable HTTP"). */
export function postAlone(): ProblemError {
  return new ProblemError('method_not_allowed', 'This version of MCP has only POST.', {
    headers: { Allow: 'POST, OPTIONS' },
  });
}

/** The upstream was not tried, because the gateway lacked a resource. */
function notTried(): ProblemError {
  return new ProblemError(
    'overloaded',
    'The service has too much in hand to connect to the integration. Try again shortly.',
    { headers: { 'Retry-After': '1' } },
  );
}

/** An endpoint event of the HTTP+SSE transport tells the client where to send its next requests. */
export function namesEndpoint(): ProblemError {
  return new ProblemError('upstream_redirected', failureForCaller(serverFailures.old_transport));
}

/** RFC 8586 section 2. */
export function loopDetected(): ProblemError {
  return new ProblemError(
    'loop_detected',
    'The call has passed this gateway before: the URL of an integration leads back to it.',
  );
}

export function timedOut(): ProblemError {
  return new ProblemError('upstream_timeout', 'The integration did not respond in time.');
}

export function sessionEnded(detail = 'The session has ended.'): ProblemError {
  return new ProblemError('session_not_found', detail);
}

/** The integration has ended its response, or the connection, before its answer was there. */
export function brokenOff(): ProblemError {
  const detail = 'The integration closed the connection before it had answered.';
  return new ProblemError('upstream_unreachable', detail);
}

/** The upstream has not answered the `initialize` of a session that is to be adopted, or that is behind one with the aggregate. */
export class NoSessionBegun extends ProblemError {
  readonly status: number;
  /** As the upstream says. */
  readonly retryAfter: string | undefined;

  constructor(status: number, retryAfter?: string) {
    super(
      'upstream_unreachable',
      `The integration did not begin a session (${status}). Try again shortly.`,
      { headers: { 'Retry-After': '5' } },
    );
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

/**
 * The person of a connect session has connected, but the upstream does not speak the client's version.
 * Many clients do not initialize again by themselves, and show this text to the person instead.
 */
export function connectedMeanwhile(): ProblemError {
  return sessionEnded(
    'Your account is connected now. Reconnect to this server, or start your client again, to use its tools.',
  );
}

export function credentialGone(): ProblemError {
  return new ProblemError(
    'forbidden',
    'The credential that this call was made with has been removed or replaced.',
  );
}

/** Rules about people do not allow the caller. */
export class PeopleRefused extends ProblemError {
  readonly refused: RefusedCaller;

  constructor(reasons: readonly PolicyReason[], refused: RefusedCaller) {
    super('policy_refused', policyMessage(reasons), { reasons });
    this.refused = refused;
  }
}

/** Rules about names have begun or changed, and do not hold for what was open by then. */
export function rulesBegan(): ProblemError {
  return new ProblemError('overloaded', 'The rules of this integration have changed.', {
    headers: { 'Retry-After': '1' },
  });
}

/** For calls that arrive, or are still waiting, while the service shuts down. */
export function shuttingDown(): ProblemError {
  return new ProblemError('overloaded', 'The service is shutting down.', {
    headers: { 'Retry-After': '1' },
  });
}

/** The gateway ends the stream that the response was expected on. */
export function streamEnded({ code, message }: ProblemError, requestId: string): RpcRefusal {
  return { code: STREAM_ENDED, message, data: { code, requestId } };
}

/** Failures that say nothing about the upstream. */
const OURS = new Set<EgressErrorReason>(['out_of_files', 'too_many_lookups']);

/** How a call ends after its exchange has failed. */
export interface UpstreamFailed {
  readonly problem: ProblemError;
  readonly outcome: CallOutcome;
}

/** Logs the failure. */
export function upstreamFailure(
  error: Error,
  { requestId }: { readonly requestId: string },
  {
    applicationId,
    integrationId,
  }: { readonly applicationId: string; readonly integrationId: string },
  log: Logger,
): UpstreamFailed {
  // Only the limit of `BodyStream`.
  if (error instanceof ProblemError) return { problem: error, outcome: 'too_large' };
  const { kind, reason } = toEgressError(error);
  log.info({ requestId, applicationId, integrationId, kind, reason }, 'upstream failed');
  const problem = OURS.has(reason) ? notTried() : upstreamUnreachable();
  return { problem, outcome: 'upstream_failed' };
}
