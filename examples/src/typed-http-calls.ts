import { contract } from '@gatehouse/contract';
import { initClient } from '@ts-rest/core';
import type { Environment, Print } from './environment.ts';

/**
 * A user's own connection, by the ts-rest client of the contract: the SDK has no methods for these
 * endpoints. Paths, bodies and responses are typed, and every response is checked by its schema.
 */
export async function main(environment: Environment, print: Print): Promise<void> {
  const { baseUrl, accessToken, mcpUrl, mcpToken } = environment;
  const api = initClient(contract, {
    // It ends in `/api/v1`: ts-rest appends the paths of the contract to it as it is.
    baseUrl: new URL('/api/v1', baseUrl).href,
    baseHeaders: { authorization: `Bearer ${accessToken}` },
    validateResponse: true,
    throwOnUnknownStatus: true,
  });

  const created = await api.integrations.create({
    body: { name: 'Notes', url: mcpUrl, authMode: 'user_token' },
  });
  if (created.status !== 201) throw new Error(`${created.body.code}: ${created.body.detail}`);
  const params = { id: created.body.integration.id };

  const stored = await api.connections.set({ params, body: { token: mcpToken } });
  if (stored.status === 200) print(`My token is stored: ${stored.body.connection.status}`);

  await api.connections.delete({ params });
  const after = await api.connections.get({ params });
  if (after.status === 200) print(`My token is removed: ${after.body.connection.status}`);

  const refused = await api.connections.set({ params, body: { token: '' } });
  if (refused.status !== 200) print(`Refused: ${refused.status} ${refused.body.code}`);
}
