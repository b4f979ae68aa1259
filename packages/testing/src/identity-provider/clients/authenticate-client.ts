import { OauthError } from '../http/oauth-error.ts';
import type { ProviderRequest } from '../http/provider-request.ts';
import type { AuthMethod, ProviderClient } from './client.ts';
import type { ClientTable } from './client-table.ts';

interface Presented {
  readonly method: AuthMethod;
  readonly clientId: string;
  readonly secret: string | undefined;
}

/**
 * The client that sent the request, by Basic, by fields of the form, or by its id alone (RFC 6749,
 * section 2.3).
 *
 * @throws OauthError `invalid_client`
 */
export function authenticateClient(
  request: ProviderRequest,
  clients: ClientTable,
  allowed: readonly AuthMethod[],
): ProviderClient {
  const { method, clientId, secret } = readPresented(request);
  const client = clients.find(clientId);
  if (!client) throw new OauthError('invalid_client', 'The client is not known.');
  const expected = methodsOf(client).filter((known) => allowed.includes(known));
  if (!expected.includes(method)) {
    throw new OauthError('invalid_client', 'The client must authenticate in another way.');
  }
  if (method !== 'none' && secret !== client.clientSecret) {
    throw new OauthError('invalid_client', 'The client secret is wrong.');
  }
  return client;
}

function methodsOf({ authMethod, clientSecret }: ProviderClient): readonly AuthMethod[] {
  if (authMethod !== undefined) return [authMethod];
  return clientSecret === undefined ? ['none'] : ['client_secret_basic', 'client_secret_post'];
}

function readPresented({ headers, form }: ProviderRequest): Presented {
  const basic = /^Basic (.+)$/i.exec(headers.authorization ?? '')?.[1];
  if (basic === undefined) {
    const secret = form.get('client_secret') ?? undefined;
    const method = secret === undefined ? 'none' : 'client_secret_post';
    return { method, clientId: form.get('client_id') ?? '', secret };
  }
  if (form.has('client_secret')) {
    throw new OauthError('invalid_request', 'The client authenticates in two ways at once.');
  }
  const [id = '', secret = ''] = Buffer.from(basic, 'base64').toString('utf8').split(':');
  return { method: 'client_secret_basic', clientId: formDecode(id), secret: formDecode(secret) };
}

/** Both halves are form-encoded (RFC 6749, section 2.3.1). */
function formDecode(text: string): string {
  return new URLSearchParams(`value=${text}`).get('value') ?? '';
}
