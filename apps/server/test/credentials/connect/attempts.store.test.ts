import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { insertAttempt } from '../../../src/credentials/connect/attempts.ts';
import { useStore } from '../../support/store.ts';
import { createTestOrganization, type TestOrganization } from '../fixtures.ts';
import { CLIENT, serverAt } from '../oauth/support/parties.ts';

const store = useStore();
const newSecret = () => randomBytes(32).toString('base64url');

async function leave({ organizationId, userId, addIntegration }: TestOrganization, times: number) {
  const { integrationId } = await addIntegration({ authMode: 'oauth' });
  const leaving = {
    ...{ organizationId, userId, integrationId, validationEpoch: 0, returnTo: null },
    ...{ server: serverAt('https://id.example.com'), client: CLIENT, scopes: [], isSecond: false },
  };
  for (let time = 0; time < times; time += 1) {
    await insertAttempt(store.db, leaving, { state: newSecret(), browser: newSecret() });
  }
}

const attemptsOf = ({ userId }: TestOrganization) =>
  store.db.connectAttempt.findMany({ where: { userId } });

describe('attempts', () => {
  it('of a person beyond 20 replace the oldest of that person', async () => {
    const [other, person] = [
      await createTestOrganization(store),
      await createTestOrganization(store),
    ];
    await leave(other, 1);
    await leave(person, 22);
    expect(await attemptsOf(person)).toHaveLength(20);
    expect(await attemptsOf(other)).toHaveLength(1);
  });

  it('hold no secret in clear', async () => {
    const person = await createTestOrganization(store);
    await leave(person, 1);
    const [attempt] = await attemptsOf(person);
    expect(attempt?.payload).toMatchObject({ client: { clientId: CLIENT.clientId } });
    expect(JSON.stringify(attempt)).not.toContain(CLIENT.clientSecret);
  });
});
