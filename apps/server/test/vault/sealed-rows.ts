import { randomBytes } from 'node:crypto';
import { replaceSigningKey } from '../../src/audit/signing-keys.ts';
import { sealResponse } from '../../src/authorization-server/tokens/token-writes.ts';
import { storeRegistration } from '../../src/credentials/oauth/registrations.ts';
import { enqueueTokens } from '../../src/credentials/oauth/revocation/outbox.ts';
import { createStoredResponses } from '../../src/http/stored-responses.ts';
import type { Store } from '../../src/platform/database/store.ts';
import { createId } from '../../src/platform/ids.ts';
import type { EncryptionKey } from '../../src/vault/keyring.ts';
import { createKeyring } from '../../src/vault/keyring.ts';
import { createMac } from '../../src/vault/mac.ts';
import { createVault } from '../../src/vault/vault.ts';
import type { TestOrganization } from '../credentials/fixtures.ts';
import { at, createWorld, openNode } from '../sessions/fixture.ts';

/** Writes one row of every table with sealed values, as the service does. */
export async function writeSealedRows(
  store: Store,
  organization: TestOrganization,
  key: EncryptionKey,
): Promise<void> {
  const { db } = store;
  const keyring = createKeyring([key]);
  const vault = createVault(keyring);
  const { organizationId, userId } = organization;
  const shared = await organization.addIntegration({ authMode: 'server_token' });
  await organization.setServerToken(shared, 'token', vault);
  const own = await organization.addIntegration({ authMode: 'user_token' });
  await organization.connect(own, { token: 'token' }, vault);
  const { integrationId } = own;

  const issuer = 'https://issuer.example';
  const client = { clientId: 'client', source: 'registered' } as never;
  const registered = {
    organizationId,
    integrationId,
    issuer,
    redirectUri: 'https://us.example/back',
  };
  await storeRegistration({ db, vault }, registered, { client } as never);
  const connection = { organizationId, integrationId, userId, destination: issuer };
  await enqueueTokens(store, vault, connection, { accessToken: 'token', client } as never);

  const world = await createWorld(store);
  const node = openNode(store, {}, vault);
  await node.legacy.open(at(world.routes, 0), at(world.callers, 0), 'upstream-session');
  const { organizationId: ofSession } = at(world.routes, 0);
  const place = { organizationId: ofSession, applicationId: at(world.applicationIds, 0) };
  const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: undefined };
  const { session } = await node.aggregates.open(place, at(world.callers, 0), hello as never);
  const asking = openNode(store, {}, vault);
  const { id: question } = asking.questions.ask(session, () => {});
  await asking.close();
  await node.questions.answer(session, question, Buffer.from('answer'));
  await node.close();

  const token = { ...createId(), clientId: 'client' };
  await db.oauthToken.create({
    data: {
      ...token,
      ...sealResponse(vault, token, { request: 'request', body: {} }),
      organizationId,
      kind: 'refresh',
      hash: randomBytes(32),
      applicationId: at(world.applicationIds, 0),
      payload: {},
      expiresAt: new Date(Date.now() + 60_000),
      consumedAt: new Date(),
    },
  });

  const responses = createStoredResponses(store, vault, createMac(keyring, 'idempotency'));
  const actor = { organizationId, userId } as never;
  await store.transaction((tx) =>
    responses.replayOrRun(
      tx,
      { actor, operation: 'POST /x', key: createId().id, body: {} },
      async () => ({ status: 201, body: {} }),
    ),
  );

  await store.transaction((tx) => replaceSigningKey(tx, vault));
}
