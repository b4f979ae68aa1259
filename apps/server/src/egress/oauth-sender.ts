import type { Sender } from './sender.ts';

const CREDENTIAL = [['authorization', 'OAuth']] as const;

/**
 * The sender of requests to an authorization server or about one. What such a server says decides who
 * signs in and where tokens go, also where nothing secret is sent. With a credential the sender is
 * denied plain http outside the allowed networks.
 */
export function oauthSender(organizationId: string, userId: string): Sender {
  return { organizationId, userId, credential: CREDENTIAL };
}
