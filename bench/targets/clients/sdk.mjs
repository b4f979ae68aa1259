import { Gatehouse } from '@gatehouse/sdk';

export const create = (baseUrl, accessToken) => new Gatehouse({ baseUrl, accessToken });
export const get = (client, id) => client.integrations.get(id);
export const list = (client, limit) => client.integrations.list({ limit });
