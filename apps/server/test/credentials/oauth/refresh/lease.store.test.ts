import { afterEach, describe, expect, it, vi } from 'vitest';
import { REQUEST_TIMEOUT, takeLease } from '../../../../src/credentials/oauth/refresh/lease.ts';
import { useStore } from '../../../support/store.ts';
import { createTestOrganization } from '../../fixtures.ts';
import { addOauthIntegration, connectPerson, startProvider } from '../grants.ts';

const store = useStore();
afterEach(() => vi.restoreAllMocks());

describe('a lease', () => {
  it('leaves no time for a request once the rest is shorter than a request may take', async () => {
    const organization = await createTestOrganization(store);
    const { userId } = organization;
    const provider = await startProvider();
    const target = await addOauthIntegration(store, organization, provider);
    const { connectionId } = await connectPerson(store, provider, target, userId);
    const lease = await takeLease(store.db, { connectionId, tokenVersion: 0 });
    expect(lease?.hasTimeForRequest()).toBe(true);
    const now = performance.now();
    vi.spyOn(performance, 'now').mockReturnValue(now + REQUEST_TIMEOUT);
    expect(lease?.hasTimeForRequest()).toBe(false);
  });
});
