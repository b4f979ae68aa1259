import { authenticateClient } from '../clients/authenticate-client.ts';
import { jsonReply } from '../http/reply.ts';
import type { Endpoint } from './context.ts';

/**
 * Revokes a token (RFC 7009): an access token alone, with a refresh token the whole grant. Unknown
 * tokens and those of other clients are answered as if they had been revoked.
 */
export const revocation: Endpoint = (request, { clients, grants, settings }) => {
  const client = authenticateClient(request, clients, settings.authMethods);
  const stored = grants.find(request.form.get('token') ?? '');
  if (stored?.grant.clientId === client.clientId && stored.kind !== 'code') {
    stored.grant.revocations += 1;
    stored.state = 'revoked';
    if (stored.kind === 'refresh') grants.end(stored.grant, 'revoked');
  }
  return jsonReply(200, {});
};
