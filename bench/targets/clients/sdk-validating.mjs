import { contract } from '@gatehouse/contract';
import { Gatehouse } from '@gatehouse/sdk';
import { responseValidator } from '@gatehouse/sdk/validation';

export function create(baseUrl, accessToken) {
  return new Gatehouse({ baseUrl, accessToken, validateResponse: responseValidator(contract) });
}

export const get = (client, id) => client.integrations.get(id);
export const list = (client, limit) => client.integrations.list({ limit });
