//#region example
import { contract, rawRequest } from '@gatehouse/contract';

/** Stores the caller's own token for an integration. */
export async function connect(integrationId: string, token: string) {
  const { url, init, parse } = rawRequest(contract.connections.set, {
    baseUrl: process.env.GATEHOUSE_BASE_URL ?? 'http://127.0.0.1:3000',
    accessToken: process.env.GATEHOUSE_ACCESS_TOKEN,
    params: { id: integrationId },
    body: { token },
  });
  const response = await parse(await fetch(url, init));
  if (response.status !== 200) throw new Error(`${response.body.code}: ${response.body.detail}`);
  return response.body.connection;
}
//#endregion
