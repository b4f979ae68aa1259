import {
  type CreateIntegrationBody,
  connectionResponseSchema,
  integrationResponseSchema,
  type Method,
  problemSchema,
  type SetConnectionBody,
} from '@gatehouse/contract';
import type { Environment, Print } from './environment.ts';

/**
 * A user's own connection, over HTTP: the SDK does not cover these endpoints. The contract has the
 * types of the requests and the schemas of the responses.
 */
export async function main(environment: Environment, print: Print): Promise<void> {
  const { baseUrl, accessToken, mcpUrl, mcpToken } = environment;

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
  print(`My token is stored: ${connection.status}`);

  await call('DELETE', path);
  const after = connectionResponseSchema.parse(await call('GET', path));
  print(`My token is removed: ${after.connection.status}`);

  await call('POST', path, {}).catch((error: Error) => print(error.message));
}
