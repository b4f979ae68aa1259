import { jsonReply, type Reply } from './reply.ts';

/** A refusal in the words of OAuth. */
export class OauthError extends Error {
  /** Such as `invalid_grant`. */
  readonly error: string;
  readonly status: number;

  constructor(error: string, description: string, status = error === 'invalid_client' ? 401 : 400) {
    super(description);
    this.name = 'OauthError';
    this.error = error;
    this.status = status;
  }
}

/** The refusal as a JSON response (RFC 6749, section 5.2). */
export function errorReply({ error, message, status }: OauthError): Reply {
  const challenge = status === 401 ? { 'WWW-Authenticate': 'Basic realm="identity-provider"' } : {};
  return jsonReply(status, { error, error_description: message }, challenge);
}
