import { requestText } from '../../../mcp/client/messages.ts';
import type { Era } from '../../../mcp/era.ts';
import { METHOD_NOT_FOUND, URL_ELICITATION_REQUIRED } from '../../../mcp/errors.ts';
import { sessionCallerOf } from '../../admission.ts';
import type { AggregateAttachment } from '../applications.ts';
import type { InSession } from '../client-call.ts';
import { type Collected, collect, errorCodeIn } from '../collect.ts';
import { ownRequestId } from '../server-request-ids.ts';
import type { Unanswered } from '../upstream-answer.ts';
import { callUpstream, type UpstreamCall, type UpstreamCallDeps } from '../upstream-calls.ts';
import { legacyHeaders, modernHeaders, upstreamRequest } from '../upstream-request.ts';
import { isRefusalOfEra } from '../upstream-side.ts';
import { within } from './gather.ts';

/** A request that the aggregate makes for itself. */
export interface OwnRequest {
  readonly id: string;
  readonly method: string;
  readonly body: Buffer;
  /** Of the integration. */
  readonly era: Era;
  /** When it is given up, by the clock of `performance`. */
  readonly until: number;
}

/** The answer to one, and the call that it was sent with. */
interface OwnAnswer {
  readonly collected: Collected;
  readonly sent: UpstreamCall | undefined;
}

/** Headers of a modern client that a legacy server does not get. */
const NOT_OF_LEGACY = { 'mcp-method': undefined, 'mcp-name': undefined };

const TOO_LATE: Collected = { kind: 'status', status: 504, retryAfter: undefined };

/**
 * Sends a request to an integration, once.
 *
 * @param client with the session behind which the integration is spoken to, in the legacy era
 */
async function sendOwnRequest(
  client: InSession,
  attachment: AggregateAttachment,
  { id, method, body, era, until }: OwnRequest,
  deps: UpstreamCallDeps,
): Promise<OwnAnswer> {
  const time = until - performance.now();
  if (time <= 0) return { collected: TOO_LATE, sent: undefined };
  const headers =
    era === 'modern'
      ? modernHeaders(method)
      : { ...legacyHeaders(client.session), ...NOT_OF_LEGACY };
  const request = upstreamRequest(client, attachment, { isOwn: true, body, headers });
  const sent = callUpstream(client, attachment, request, deps);
  const collected = await within(collect(sent, id), time);
  if (collected === undefined) sent.abort();
  return { collected: collected ?? TOO_LATE, sent };
}

/** Errors that only a server with the session gives: it has looked at the request. */
const IN_SESSION: ReadonlySet<number> = new Set([METHOD_NOT_FOUND, URL_ELICITATION_REQUIRED]);

/** Milliseconds in which the upstream may answer a ping. */
const PING_WITHIN = 5_000;

/**
 * Whether a server may refuse a request like this because it has lost the session. 404 alone says so for certain (2025-11-25
 * transports, "Session Management"); many servers use something else, which they use for other refusals too.
 *
 * @param code of the error, if the response is one in JSON-RPC
 */
function mayBeOfLostSession(status: number, code: number | undefined): boolean {
  if (status === 400 || status === 410) return true;
  return status === 200 && code !== undefined && !IN_SESSION.has(code);
}

/** The same for the answer to a request of ours. */
function mayComeFromLostSession(collected: Collected): boolean {
  if (collected.kind === 'message') {
    return mayBeOfLostSession(collected.status, errorCodeIn(collected.message));
  }
  return collected.kind === 'status' && mayBeOfLostSession(collected.status, undefined);
}

/**
 * Whether a request was refused because the upstream has lost its session: then it has not been executed, and can be sent
 * once more. A session that is ended here (`session_not_found`) may have had its request executed.
 */
export async function isRefusedInLostSession(
  refused: Unanswered,
  sent: UpstreamCall,
  client: InSession,
  attachment: AggregateAttachment,
  deps: UpstreamCallDeps,
): Promise<boolean> {
  if (refused.kind !== 'error' && refused.kind !== 'status') return false;
  if (refused.kind === 'error' && isRefusalOfEra(refused, 'legacy')) return false;
  if (refused.kind === 'status' && refused.status === 404) return true;
  const code = refused.kind === 'error' ? refused.code : undefined;
  return mayBeOfLostSession(refused.status, code) && isSessionLost(sent, client, attachment, deps);
}

/**
 * Asks the integration by a ping in the session that a request was refused in, and ends a session that is lost. The next
 * request begins another one.
 *
 * @param sent the request, which its refusal shows not to have been executed where the session is lost
 * @param client with the session behind which the integration is spoken to
 */
async function isSessionLost(
  sent: Pick<UpstreamCall, 'admission'> | undefined,
  client: InSession,
  attachment: AggregateAttachment,
  deps: UpstreamCallDeps,
): Promise<boolean> {
  const used = sent?.admission;
  if (used?.session === undefined || client.session === undefined) return false;
  const { sessions } = deps.callDeps;
  const caller = sessionCallerOf(client.caller);
  const current = sessions.behind.peek(used.route, caller, client.session.id);
  // Another request has found it lost.
  if (current !== undefined && current.id !== used.session.id) return true;
  const id = ownRequestId();
  const body = Buffer.from(requestText(id, { method: 'ping' }));
  const until = performance.now() + PING_WITHIN;
  const request = { id, method: 'ping', body, era: 'legacy', until } as const;
  const { collected, sent: ping } = await sendOwnRequest(client, attachment, request, deps);
  const pinged = ping?.admission?.session;
  if (pinged !== undefined && pinged.id !== used.session.id) return true;
  const isRefused = isSessionGone(collected) || mayComeFromLostSession(collected);
  if (!isRefused) return false;
  await sessions.legacy.end(used.session);
  return true;
}

/** Most servers say it in JSON-RPC, too. */
function isSessionGone(collected: Collected): boolean {
  if (collected.kind === 'problem') return collected.problem.code === 'session_not_found';
  return 'status' in collected && collected.status === 404;
}

/**
 * Sends a request to an integration, once more if the session that it was sent in is gone: then it has not been
 * executed.
 *
 * @param client with the session behind which the integration is spoken to, in the legacy era
 */
export async function askUpstream(
  client: InSession,
  attachment: AggregateAttachment,
  request: OwnRequest,
  deps: UpstreamCallDeps,
): Promise<Collected> {
  const { collected, sent } = await sendOwnRequest(client, attachment, request, deps);
  if (request.era === 'modern') return collected;
  const isGone =
    isSessionGone(collected) ||
    (mayComeFromLostSession(collected) && (await isSessionLost(sent, client, attachment, deps)));
  if (!isGone) return collected;
  return (await sendOwnRequest(client, attachment, request, deps)).collected;
}
