import { jsonReply } from '../http/reply.ts';
import type { Endpoint } from './context.ts';

/** The user of an access token (OpenID Connect Core, section 5.3). */
export const userinfo: Endpoint = ({ headers }, { grants, settings }) => {
  const value = /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1] ?? '';
  const stored = grants.find(value);
  const user = settings.users.find(({ sub }) => sub === stored?.sub);
  if (stored?.kind !== 'access' || !grants.isUsable(stored) || !user) {
    const challenge = { 'WWW-Authenticate': 'Bearer error="invalid_token"' };
    return jsonReply(401, { error: 'invalid_token' }, challenge);
  }
  return jsonReply(200, { ...user, email_verified: true });
};
