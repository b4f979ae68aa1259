import { ProblemError } from '../platform/problem-error.ts';

export function bodyTooLarge(limit: number): ProblemError {
  return new ProblemError('payload_too_large', `A request body may have at most ${limit} bytes.`);
}

export function responseTooLarge(): ProblemError {
  return new ProblemError(
    'upstream_response_too_large',
    'The integration answered with more than the gateway passes on.',
  );
}

export function upstreamUnreachable(): ProblemError {
  return new ProblemError(
    'upstream_unreachable',
    'The integration could not be reached, or broke off.',
  );
}

/** Its credential must not follow, and an MCP client could not be told where to. */
export function upstreamRedirects(status: number): ProblemError {
  return new ProblemError(
    'upstream_unreachable',
    `The integration redirects elsewhere (${status}), which is not followed: an administrator must set the URL it redirects to.`,
  );
}

export function timedOut(): ProblemError {
  return new ProblemError('upstream_timeout', 'The integration did not answer in time.');
}

/** What a call is told that comes, or is still waiting, while the service shuts down. */
export function closing(): ProblemError {
  return new ProblemError('overloaded', 'The service is shutting down.', {
    headers: { 'Retry-After': '1', Connection: 'close' },
  });
}
