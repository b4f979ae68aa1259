import { createApplication } from './gatehouse.mjs';

/**
 * Makes an application with an integration for each of these servers of `targets/servers.mjs`, by name.
 *
 * @param servers `{ name: path and query }`
 * @returns the id of the application, and the integrations' by name
 */
export async function openServers({ api }, origin, servers) {
  const applicationId = await createApplication(api);
  const ids = {};
  for (const [name, path] of Object.entries(servers)) {
    const { integration } = await api('POST', '/integrations', {
      ...{ name, url: `${origin}${path}` },
      ...{ authMode: 'server_token', serverToken: 'not-checked' },
    });
    ids[name] = integration.id;
    await api('POST', `/integrations/${integration.id}/validate`);
    await api('POST', `/applications/${applicationId}/integrations/${integration.id}`);
  }
  return { applicationId, ids };
}
