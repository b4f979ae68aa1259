import { ProblemError } from '../platform/problem-error.ts';

/** The URL of a path's metadata document (RFC 9728 section 3.1). @param path without query */
export function resourceMetadataUrl(publicUrl: string, path: string): string {
  return `${publicUrl}/.well-known/oauth-protected-resource${path}`;
}

/** The facts that a client needs for the resource that refused it. */
export interface Challenge {
  readonly metadataUrl: string;
  /** Of the whole operation, separated by spaces. */
  readonly scope: string;
}

/**
 * The error with a challenge from which a client finds the authorization server and the scopes to ask
 * for (RFC 9728 section 5.1, RFC 6750 section 3). Errors of another kind are returned as they are.
 */
export function withChallenge(
  error: ProblemError,
  { metadataUrl, scope }: Challenge,
): ProblemError {
  const reason = reasonOf(error);
  if (reason === undefined) return error;
  const challenge = `Bearer ${reason}resource_metadata="${metadataUrl}", scope="${scope}"`;
  return new ProblemError(error.code, error.message, {
    errors: error.errors,
    headers: { ...error.headers, 'WWW-Authenticate': challenge },
    cause: error.cause,
  });
}

/**
 * What an MCP URL is refused with: a problem has the challenge for that URL, anything else stays as it is.
 *
 * @param target the raw request target
 */
export function withMcpChallenge(
  thrown: unknown,
  target: string | undefined,
  publicUrl: string,
): unknown {
  if (!(thrown instanceof ProblemError)) return thrown;
  const [path = ''] = (target ?? '').split('?', 1);
  return withChallenge(thrown, { metadataUrl: resourceMetadataUrl(publicUrl, path), scope: 'mcp' });
}

function reasonOf({ code, headers }: ProblemError): string | undefined {
  if (code === 'insufficient_scope') return 'error="insufficient_scope", ';
  if (code !== 'unauthenticated') return undefined;
  return headers['WWW-Authenticate']?.includes('invalid_token') ? 'error="invalid_token", ' : '';
}
