import { setupMockGatehouse } from '@gatehouse/mocks/node';
import type { Service } from './target.ts';

/** The mocks, configured as the server under test is. */
export function startMocks(): Service {
  const { gatehouse, server } = setupMockGatehouse({
    baseUrl: 'https://gatehouse.example.com',
    allowedNetworks: ['127.0.0.0/8', '::1/128'],
  });
  server.listen({ onUnhandledRequest: 'bypass' });
  const { fixtures, tokens } = gatehouse;
  const { id: organizationId, owner } = fixtures.addOrganization();
  return {
    name: 'mocks',
    baseUrl: gatehouse.baseUrl,
    tokens: { ...tokens, stranger: owner.token },
    upstream: { url: 'https://mcp.example.com/mcp', token: 'upstream-token' },
    fetch: (url, init) => globalThis.fetch(url, init),
    async addSession({ silentFor = 0, ...session }) {
      const lastActivityAt = new Date(Date.now() - silentFor).toISOString();
      return fixtures.addSession({ ...session, lastActivityAt }).id;
    },
    addGrant: async (grant) => fixtures.addGrant(grant).id,
    async addMembers(count) {
      for (let n = 0; n < count; n += 1) fixtures.addMember('member', { organizationId });
    },
    addTool: async (tool) => fixtures.addTool(tool),
    addCalls: async (calls) => fixtures.addCalls(calls),
    addListing: async (listing) => fixtures.addListing(listing),
    addAccessToken: async (token) => fixtures.addAccessToken(token).token,
    close: async () => server.close(),
  };
}
