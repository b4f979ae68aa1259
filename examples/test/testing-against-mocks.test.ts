import { contract } from '@gatehouse/contract';
import { mockRoute, problem } from '@gatehouse/mocks';
import { setupMockGatehouse } from '@gatehouse/mocks/node';
import { Gatehouse } from '@gatehouse/sdk';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { shareIntegration } from '../src/testing-against-mocks.ts';

const { gatehouse: mocks, server } = setupMockGatehouse();
const { baseUrl, tokens, fixtures } = mocks;
const gatehouse = new Gatehouse({ baseUrl, accessToken: tokens.member, maxRetries: 0 });

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
afterEach(() => {
  server.resetHandlers();
  mocks.reset();
});
afterAll(() => server.close());

async function createApplications(...names: string[]) {
  for (const name of names) {
    const oauth = { type: 'public', redirectUris: ['http://127.0.0.1/callback'] } as const;
    await gatehouse.applications.create({ name, oauth });
  }
}

describe('sharing an integration', () => {
  it('attaches it to every application that lacks it', async () => {
    const { id } = fixtures.addIntegration({ name: 'Wiki' });
    await createApplications('Assistant', 'Chat');
    expect((await shareIntegration(gatehouse, id)).applications).toEqual(['Chat', 'Assistant']);
    expect((await shareIntegration(gatehouse, id)).applications).toEqual([]);
  });

  it('stops at an archived integration, by the rules of the service', async () => {
    const { id } = fixtures.addIntegration({ name: 'Wiki' });
    await createApplications('Assistant');
    const admin = new Gatehouse({ baseUrl, accessToken: tokens.admin });
    await admin.integrations.archive(id);
    expect(await shareIntegration(gatehouse, id)).toEqual({
      applications: [],
      refused: 'archived',
    });
  });

  it('says so when the service is too busy, which no state of the mocks brings about', async () => {
    server.use(mockRoute(contract.applications.list, () => problem('rate_limited')));
    const { id } = fixtures.addIntegration({ name: 'Wiki' });
    expect((await shareIntegration(gatehouse, id)).refused).toBe('rate_limited');
  });
});
