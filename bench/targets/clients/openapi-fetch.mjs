import createClient from 'openapi-fetch';

export function create(baseUrl, accessToken) {
  return createClient({ baseUrl, headers: { authorization: `Bearer ${accessToken}` } });
}

export async function get(client, id) {
  return dataOf(await client.GET('/integrations/{id}', { params: { path: { id } } }));
}

export async function list(client, limit) {
  return dataOf(await client.GET('/integrations', { params: { query: { limit } } }));
}

function dataOf({ data, error }) {
  if (error !== undefined) throw new Error('The call failed.', { cause: error });
  return data;
}
