import { signingKey } from '../grants/id-token.ts';
import { jsonReply } from '../http/reply.ts';
import type { Endpoint } from './context.ts';

/** The public key of ID tokens (RFC 7517). */
export const jwks: Endpoint = async () => {
  const { jwk } = await signingKey();
  return jsonReply(200, { keys: [jwk] });
};
