import { describe, expect, it } from 'vitest';
import { obtainClient } from '../../../src/credentials/oauth/obtain-client.ts';
import { useStore } from '../../support/store.ts';
import { createTestOrganization, vault } from '../fixtures.ts';
import { openHttp, serverAt, soon } from './support/parties.ts';
import { openProvider } from './support/provider-server.ts';

const OURS = 'https://gatehouse.example.com';
const store = useStore();

/** An authorization server at which clients register; each one gets the next number. */
async function openRegistrar(more: object = {}) {
  const provider = await openProvider();
  const { origin, received } = provider;
  const register = () => {
    const client_id = `client-${received.length} of ${origin}`;
    return { status: 201, body: { client_id, client_secret: 'secret-1', ...more } };
  };
  provider.serve({ '/register': register });
  const server = serverAt(origin, { registrationEndpoint: `${origin}/register` });
  return { server, received, idOf: (number: number) => `client-${number} of ${origin}` };
}

async function startClient() {
  const organization = await createTestOrganization(store);
  const { integrationId: id } = await organization.addIntegration({ authMode: 'oauth' });
  const integration = await store.db.integration.findUniqueOrThrow({ where: { id } });
  return async ({ server }: Awaited<ReturnType<typeof openRegistrar>>, publicUrl = OURS) => {
    const deps = { db: store.db, vault, http: openHttp(), publicUrl };
    return (await obtainClient(deps, integration, server, soon())).client.clientId;
  };
}

describe('a registered client', () => {
  it('is used again, at the issuer and with the redirect URI that it was registered for', async () => {
    const [one, other] = [await openRegistrar(), await openRegistrar()];
    const clientAt = await startClient();
    expect(await clientAt(one)).toBe(one.idOf(1));
    expect(await clientAt(one)).toBe(one.idOf(1));
    expect(await clientAt(other)).toBe(other.idOf(1));
    expect(await clientAt(one, 'https://moved.example.com')).toBe(one.idOf(2));
    expect([one.received.length, other.received.length]).toEqual([2, 1]);
  });

  it('with an expired secret is registered again', async () => {
    const registrar = await openRegistrar({ client_secret_expires_at: 1_000_000_000 });
    const clientAt = await startClient();
    expect(await clientAt(registrar)).toBe(registrar.idOf(1));
    expect(await clientAt(registrar)).toBe(registrar.idOf(2));
  });

  it('of one integration is not that of another', async () => {
    const registrar = await openRegistrar();
    expect(await (await startClient())(registrar)).toBe(registrar.idOf(1));
    expect(await (await startClient())(registrar)).toBe(registrar.idOf(2));
  });
});
