import { randomBytes } from 'node:crypto';
import type { Api } from './api.ts';

/** An integration attached to an application. */
export interface TestRoute {
  readonly applicationId: string;
  readonly integrationId: string;
  /** The gateway's URL below a server's origin: `/mcp/<application>/<integration>`. */
  readonly path: string;
}

/** Creates an integration with these fields, and a new application to attach it to. */
export async function createRoute(
  api: Api,
  fields: Readonly<Record<string, unknown>> & { readonly url: string },
): Promise<TestRoute> {
  const integration = await api.expect(201, 'POST', '/integrations', {
    body: { name: 'Upstream', ...fields },
  });
  const application = await api.expect(201, 'POST', '/applications', {
    body: { name: 'Assistant', oauth: { type: 'public', redirectUris: ['http://localhost/cb'] } },
  });
  const integrationId: string = integration.body.integration.id;
  const applicationId: string = application.body.application.id;
  await api.expect(204, 'POST', `/applications/${applicationId}/integrations/${integrationId}`);
  return { applicationId, integrationId, path: `/mcp/${applicationId}/${integrationId}` };
}

/** A member of the organization with a token of all scopes. */
export interface TestMember {
  readonly id: string;
  readonly token: string;
  readonly tokenId: string;
}

export async function addMember(api: Api, role = 'member'): Promise<TestMember> {
  const name = randomBytes(6).toString('hex');
  const invited = await api.expect(201, 'POST', '/members', {
    body: { email: `${name}@example.com`, name, role },
  });
  const created = await api.expect(201, 'POST', '/tokens', {
    token: invited.body.invitation,
    body: { name, scopes: ['mcp', 'management:read', 'management:write'] },
  });
  return {
    id: invited.body.member.id,
    token: created.body.secret,
    tokenId: created.body.token.id,
  };
}

/** 256 random bits that may stand in a header. */
export function randomSecret(): string {
  return randomBytes(32).toString('base64url');
}
