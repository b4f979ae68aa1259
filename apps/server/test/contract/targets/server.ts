import { startUpstream } from '@gatehouse/testing';
import { insertSession } from '../../resources/applications/support.ts';
import { addOrganization } from '../../support/organization.ts';
import { startTestServer } from '../../support/server.ts';
import type { Service } from './target.ts';

const UPSTREAM_TOKEN = 'upstream-token-of-the-contract-suite';

/** The real service. */
export async function startServer(): Promise<Service> {
  const [server, upstream] = await Promise.all([
    startTestServer(),
    startUpstream({ requireBearer: UPSTREAM_TOKEN }),
  ]);
  const tokens = {
    owner: server.owner,
    admin: (await server.addMember('admin')).token,
    member: (await server.addMember('member')).token,
    stranger: await addOrganization(server.store),
  };
  return {
    name: 'server',
    baseUrl: server.baseUrl,
    tokens,
    upstream: { url: upstream.url, token: UPSTREAM_TOKEN },
    fetch: globalThis.fetch,
    addSession: ({ applicationId, integrationId, ...options }) =>
      insertSession(server, applicationId, integrationId, options),
    close: () => Promise.all([server.close(), upstream.close()]),
  };
}
