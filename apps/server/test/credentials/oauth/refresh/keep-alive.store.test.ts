import { beforeEach, expect, it } from 'vitest';
import { keepGrantsAlive } from '../../../../src/credentials/oauth/refresh/keep-alive.ts';
import type { TokensToRefresh } from '../../../../src/credentials/oauth/refresh/lease.ts';
import { useStore } from '../../../support/store.ts';
import { createTestOrganization } from '../../fixtures.ts';
import { addOauthIntegration, connectPerson, startNode, startProvider } from '../grants.ts';

const HOUR = 60 * 60_000;
const store = useStore();
beforeEach(() => store.db.user.deleteMany());

/** A person with a grant that was last refreshed this many hours ago, or has ended. */
async function connectedSince(hours: number | null) {
  const organization = await createTestOrganization(store);
  const provider = await startProvider();
  const target = await addOauthIntegration(store, organization, provider);
  const { connectionId } = await connectPerson(store, provider, target, organization.userId);
  const refreshedAt = hours === null ? null : new Date(Date.now() - hours * HOUR);
  await store.db.connection.update({ where: { id: connectionId }, data: { refreshedAt } });
  return { provider, connectionId };
}

it('grants that nobody has used for a day are refreshed, and no others', async () => {
  const people = [25, 100, 23, null].map((hours) => connectedSince(hours));
  const [idle, idler, used, ended] = (await Promise.all(people)).map(({ provider }) => provider);
  const { refresher } = startNode(store);
  await keepGrantsAlive(store.db, refresher, new AbortController().signal);
  const refreshes = [idle, idler, used, ended].map((provider) => provider?.counts.refreshes);
  expect(refreshes).toEqual([1, 1, 0, 0]);
});

it('nothing more is refreshed once the service stops', async () => {
  const stopping = new AbortController();
  const begun: string[] = [];
  for (let people = 0; people < 6; people += 1) await connectedSince(25 + people);
  const refresher = {
    async refresh({ connectionId }: TokensToRefresh) {
      begun.push(connectionId);
      stopping.abort();
    },
  };
  await keepGrantsAlive(store.db, refresher, stopping.signal);
  expect(begun).toHaveLength(1);
});
