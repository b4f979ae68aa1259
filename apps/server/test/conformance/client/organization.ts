import type { ClientScenario } from '@gatehouse/harness';
import { expect } from 'vitest';
import type { TestServer } from '../../support/server.ts';

/** The mock of a scenario as an integration that an application may use. */
export interface Attached {
  readonly integrationId: string;
  /** The gateway's URL of it. */
  readonly url: string;
}

/** Does what an administrator would do, knowing only what the scenario says. */
export async function attach(
  server: TestServer,
  { name, url, context }: ClientScenario,
): Promise<Attached> {
  const mode = name.startsWith('auth/') ? { authMode: 'oauth', oauth: {} } : { authMode: 'none' };
  const created = await server.call('POST', '/integrations', { body: { name, url, ...mode } });
  expect(created.status, created.text).toBe(201);
  const integrationId: string = created.body.integration.id;
  if (context.client_id !== undefined) await enterClient(server, integrationId, url, context);
  const { body } = await server.call('POST', '/applications', {
    body: { name, oauth: { type: 'public', redirectUris: ['http://localhost/callback'] } },
  });
  const applicationId: string = body.application.id;
  await server.call('POST', `/applications/${applicationId}/integrations/${integrationId}`);
  return { integrationId, url: `${server.origin}/mcp/${applicationId}/${integrationId}` };
}

/** The client that the provider has issued. */
async function enterClient(
  server: TestServer,
  integrationId: string,
  url: string,
  { client_id: clientId, client_secret: clientSecret }: ClientScenario['context'],
): Promise<void> {
  const found = await server.call('POST', '/integrations/discover', { body: { url } });
  const { issuer } = found.body.discovery;
  const config = { provider: 'conformance', issuer, scopes: [], clientId, clientSecret };
  const { status, text } = await server.call('PUT', `/integrations/${integrationId}/oauth`, {
    body: config,
  });
  expect(status, text).toBe(200);
}
