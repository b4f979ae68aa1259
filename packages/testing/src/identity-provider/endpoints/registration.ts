import { randomBytes, randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { ProviderClient } from '../clients/client.ts';
import { OauthError } from '../http/oauth-error.ts';
import { jsonReply } from '../http/reply.ts';
import type { Endpoint } from './context.ts';

const registrationSchema = z.looseObject({
  redirect_uris: z.array(z.url()).min(1),
  token_endpoint_auth_method: z
    .enum(['none', 'client_secret_basic', 'client_secret_post'])
    .default('client_secret_basic'),
  client_name: z.string().optional(),
});

/** Registers a client (RFC 7591). */
export const registration: Endpoint = ({ method, body }, { settings, clients }) => {
  if (method !== 'POST') throw new OauthError('invalid_request', 'Only POST is allowed.');
  const { success, data } = registrationSchema.safeParse(parseJson(body));
  if (!success) throw new OauthError('invalid_client_metadata', 'The metadata is not valid.');
  const authMethod = data.token_endpoint_auth_method;
  if (!settings.authMethods.includes(authMethod)) {
    throw new OauthError('invalid_client_metadata', 'The authentication method is not supported.');
  }
  const now = Date.now();
  const { registeredClientSeconds: seconds } = settings;
  const client: ProviderClient = {
    clientId: `idp_client_${randomUUID()}`,
    ...(authMethod !== 'none' && {
      clientSecret: `idp_secret_${randomBytes(32).toString('base64url')}`,
    }),
    redirectUris: data.redirect_uris,
    authMethod,
    ...(data.client_name !== undefined && { name: data.client_name }),
    source: 'registered',
    expiresAt: seconds === null ? null : now + seconds * 1000,
  };
  clients.add(client);
  return jsonReply(201, {
    ...data,
    client_id: client.clientId,
    client_id_issued_at: Math.floor(now / 1000),
    ...(client.clientSecret !== undefined && {
      client_secret: client.clientSecret,
      // 0 means never (RFC 7591, section 3.2.1).
      client_secret_expires_at: seconds === null ? 0 : Math.ceil(now / 1000 + seconds),
    }),
  });
};

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
