import { expect, it } from 'vitest';
import { CredentialSchemaChanged } from '../../../src/credentials/store-connection.ts';
import type { PersonCaller } from '../../../src/identity/caller.ts';
import { checkCredential, setConnection } from '../../../src/resources/connections/service.ts';
import { vault } from '../../credentials/fixtures.ts';
import { useServer } from '../../support/server.ts';
import { createIntegration } from '../integrations/support.ts';

const server = useServer();
const schemaOf = (minLength: number) => ({ properties: { token: { type: 'string', minLength } } });

async function start() {
  const { id } = await createIntegration(server, {
    authMode: 'user_token',
    credentialSchema: schemaOf(1),
  });
  const user = await server.store.db.user.findFirstOrThrow();
  const actor: PersonCaller = {
    kind: 'person',
    organizationId: user.organizationId,
    userId: user.id,
    role: user.role,
    groupIds: [],
    via: { kind: 'personal_token', id: user.id },
    expiresAt: null,
    scopes: [],
  };
  const set = (checked: Awaited<ReturnType<typeof checkCredential>>) =>
    server.store.transaction((tx) =>
      setConnection({ tx, actor, precondition: 'none' }, { vault }, id, checked),
    );
  return { id, set, check: () => checkCredential(server.store.db, actor, id, { token: 'ab' }) };
}

it('a credential is checked by its schema before the transaction, and only once', async () => {
  const { check } = await start();
  const checked = await check();
  expect(checked.accept()).toBe(checked.accept());
});

it('a credential that was checked by an earlier schema is not stored', async () => {
  const { id, check, set } = await start();
  const checked = await check();
  await server.call('PATCH', `/integrations/${id}`, { body: { credentialSchema: schemaOf(3) } });
  await expect(set(checked)).rejects.toThrow(CredentialSchemaChanged);
  await expect(set(await check())).rejects.toThrow('does not match');
  const connections = await server.store.db.connection.findMany({ where: { integrationId: id } });
  expect(connections).toEqual([]);
});

it('a credential is checked again when its schema changes at the same time', async () => {
  const { id } = await start();
  const connect = () =>
    server.call('POST', `/integrations/${id}/connection`, { body: { token: 'ab' } });
  const change = (minLength: number) =>
    server.call('PATCH', `/integrations/${id}`, {
      body: { credentialSchema: schemaOf(minLength) },
    });
  const answers = await Promise.all([1, 3, 2, 5, 1, 4].flatMap((one) => [change(one), connect()]));
  expect(
    answers.map(({ status }) => status).filter((status) => status !== 200 && status !== 400),
  ).toEqual([]);
});
