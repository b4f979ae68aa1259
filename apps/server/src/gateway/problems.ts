import { ProblemError } from '../platform/problem-error.ts';

export function bodyTooLarge(limit: number): ProblemError {
  return new ProblemError('payload_too_large', `A request body may have at most ${limit} bytes.`);
}

export function responseTooLarge(): ProblemError {
  return new ProblemError(
    'upstream_response_too_large',
    'The response of the integration is larger than the gateway relays.',
  );
}

export function upstreamUnreachable(): ProblemError {
  return new ProblemError(
    'upstream_unreachable',
    'The integration could not be reached, or closed the connection.',
  );
}

/** The credential must not be sent to another address, and an MCP client could not follow. */
export function upstreamRedirects(status: number): ProblemError {
  return new ProblemError(
    'upstream_redirected',
    `The integration redirects elsewhere (${status}), which is not followed: an administrator must set the URL it redirects to.`,
  );
}

/** 405 to GET means that there is no stream: clients continue without one (2025-11-25 transports, "Listening for Messages from the Server"). */
export function noStream(detail: string): ProblemError {
  return new ProblemError('method_not_allowed', detail, {
    headers: { Allow: 'POST, DELETE, OPTIONS' },
  });
}

/** The upstream was not tried, for want of something of our own. */
export function notTried(): ProblemError {
  return new ProblemError(
    'overloaded',
    'The service has too much in hand to connect to the integration. Try again shortly.',
    { headers: { 'Retry-After': '1' } },
  );
}

/** An endpoint event of the HTTP+SSE transport tells the client where to send its next requests. */
export function namesEndpoint(): ProblemError {
  return new ProblemError(
    'upstream_redirected',
    'The integration sent an endpoint event, which belongs to the old HTTP+SSE transport and is not relayed: an administrator must set the URL of its Streamable HTTP endpoint.',
  );
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

export function credentialGone(): ProblemError {
  return new ProblemError(
    'forbidden',
    'The credential that this call was made with has been removed or replaced.',
  );
}

/** For calls that arrive, or are still waiting, while the service shuts down. */
export function shuttingDown(): ProblemError {
  return new ProblemError('overloaded', 'The service is shutting down.', {
    headers: { 'Retry-After': '1' },
  });
}
