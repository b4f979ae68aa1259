import { contract } from '@gatehouse/contract';
import { initClient } from '@ts-rest/core';

export function create(baseUrl, accessToken) {
  const baseHeaders = { authorization: `Bearer ${accessToken}` };
  return initClient(contract, { baseUrl, baseHeaders });
}

export async function get(client, id) {
  return bodyOf(await client.integrations.get({ params: { id } }));
}

export async function list(client, limit) {
  return bodyOf(await client.integrations.list({ query: { limit } }));
}

function bodyOf({ status, body }) {
  if (status !== 200) throw new Error(`Status ${status}`);
  return body;
}
