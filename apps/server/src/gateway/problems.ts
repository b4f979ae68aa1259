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

export function timedOut(): ProblemError {
  return new ProblemError('upstream_timeout', 'The integration did not respond in time.');
}

export function sessionEnded(): ProblemError {
  return new ProblemError('session_not_found', 'The session has ended.');
}

/** For calls that arrive, or are still waiting, while the service shuts down. */
export function shuttingDown(): ProblemError {
  return new ProblemError('overloaded', 'The service is shutting down.', {
    headers: { 'Retry-After': '1', Connection: 'close' },
  });
}
