import { type ClientAuth, ClientSecretPost, None } from 'oauth4webapi';
import type { UpstreamClient } from '../upstream.ts';

/** An empty secret is never sent: strict servers refuse `client_secret=` from a public client. */
export function clientAuthentication({
  clientSecret,
  authMethod,
}: Pick<UpstreamClient, 'clientSecret' | 'authMethod'>): ClientAuth {
  if (!clientSecret || authMethod === 'none') return None();
  return authMethod === 'client_secret_post'
    ? ClientSecretPost(clientSecret)
    : clientSecretBasic(clientSecret);
}

/**
 * HTTP Basic with the form encoding of RFC 6749 section 2.3.1. oauth4webapi encodes `-`, `.` and `_` too;
 * form encoding leaves them, and many servers do not decode what they compare.
 */
function clientSecretBasic(clientSecret: string): ClientAuth {
  return (_server, { client_id }, _body, headers) => {
    const pair = `${formEncoded(client_id)}:${formEncoded(clientSecret)}`;
    headers.set('authorization', `Basic ${Buffer.from(pair).toString('base64')}`);
  };
}

/** `application/x-www-form-urlencoded`, of one value. */
function formEncoded(value: string): string {
  return new URLSearchParams({ '': value }).toString().slice('='.length);
}
