import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { testDatabaseKind } from '../../support/database.ts';
import { startTestServer, useServer } from '../../support/server.ts';
import { use } from '../../support/use.ts';
import { addWorker, connect, tokenForPerson, type Worker } from './support.ts';

describe.runIf(testDatabaseKind === 'postgresql')('on another node', () => {
  const encryptionKeys = [{ id: 'test', key: randomBytes(32) }];
  const server = useServer({ encryptionKeys });
  const other = use(() =>
    startTestServer({ encryptionKeys, publicUrl: server.origin }, async () => ({
      ...server.store,
      ...(await server.store.openAnotherNode()),
    })),
  );

  const application = ({ applicationId }: Worker) => `/applications/${applicationId}`;
  type Ending = [method: string, path: string, body?: object];
  const endings: Readonly<Record<string, (worker: Worker, grantId: string) => Ending>> = {
    'the application was archived': (worker) => ['DELETE', application(worker)],
    'it was detached': (worker) => [
      'DELETE',
      `${application(worker)}/integrations/${worker.integrationId}`,
    ],
    'its access was revoked': (worker) => ['POST', `${application(worker)}/revoke-access`],
    'the grant was ended': (_worker, grantId) => ['DELETE', `/grants/${grantId}`],
    'the person has disconnected': ({ integrationId }) => [
      'DELETE',
      `/integrations/${integrationId}/connection`,
    ],
  };
  /** Of the attachment: nobody may use it. It ends no lease. */
  const policy = (worker: Worker): Ending => [
    'PUT',
    `${application(worker)}/integrations/${worker.integrationId}/policy`,
    { userIds: [] },
  ];

  it('nothing is handed out after rules about people shut the person out', async () => {
    await expectNothingAfter(policy);
  });

  it.each(Object.entries(endings))('nothing is handed out after %s', async (_name, requestOf) => {
    const { applicationId } = await expectNothingAfter(requestOf);
    const leases = await server.store.db.credentialLease.findMany({ where: { applicationId } });
    expect(leases.map(({ endedAt }) => endedAt !== null)).toEqual([true]);
  });

  async function expectNothingAfter(
    requestOf: (worker: Worker, grantId: string) => Ending,
  ): Promise<Worker> {
    const worker = await addWorker(server);
    await connect(server, worker);
    const { token, grant } = await tokenForPerson(server, worker);
    // The other node has everything in memory.
    expect((await other.call('POST', worker.path, { token })).status).toBe(200);
    const [method, path, body] = requestOf(worker, grant.id);
    const options = body === undefined ? {} : { body };
    expect((await server.call(method, path, options)).status).toBeLessThan(300);
    // Not a second later but at once: the transaction that writes the lease looks at the rows themselves.
    expect((await other.call('POST', worker.path, { token })).status).toBeGreaterThanOrEqual(400);
    return worker;
  }
});
