import ky from 'ky';

export function create(baseUrl, accessToken) {
  return ky.create({ prefix: baseUrl, headers: { authorization: `Bearer ${accessToken}` } });
}

export const get = (client, id) => client.get(`integrations/${id}`).json();
export const list = (client, limit) =>
  client.get('integrations', { searchParams: { limit } }).json();
