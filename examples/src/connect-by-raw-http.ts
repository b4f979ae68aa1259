import {
  type CreateIntegrationBody,
  connectionResponseSchema,
  integrationResponseSchema,
  type Method,
  problemSchema,
  type SetConnectionBody,
} from '@gatehouse/contract';
import type { Say, Surroundings } from './surroundings.ts';

/**
 * A user's own connection, over HTTP: these endpoints are no part of the SDK. The contract gives the
 * types of what is sent, and the schemas for what is answered.
 */
export async function main(surroundings: Surroundings, say: Say): Promise<void> {
  const { baseUrl, accessToken, mcpUrl, mcpToken } = surroundings;

  async function call(method: Method, path: string, body?: object): Promise<unknown> {
    const response = await fetch(baseUrl + path, {
      method,
      headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (response.status === 204) return undefined;
    if (response.ok) return response.json();
    const problem = problemSchema.parse(await response.json());
    throw new Error(`${method} ${path}: ${problem.code}, request ${problem.requestId}`);
  }

  const integration: CreateIntegrationBody = {
    name: 'Notes',
    url: mcpUrl,
    authMode: 'user_token',
  };
  const created = integrationResponseSchema.parse(await call('POST', '/integrations', integration));
  const path = `/integrations/${created.integration.id}/connection`;

  const token: SetConnectionBody = { token: mcpToken };
  const { connection } = connectionResponseSchema.parse(await call('POST', path, token));
  say(`My token is stored: ${connection.status}`);

  await call('DELETE', path);
  const after = connectionResponseSchema.parse(await call('GET', path));
  say(`My token is removed: ${after.connection.status}`);

  await call('POST', path, {}).catch((error: Error) => say(error.message));
}
