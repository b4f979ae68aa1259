import { randomUUID } from 'node:crypto';
import { createId } from '../../../src/platform/ids.ts';
import { addOrganization } from '../../support/organization.ts';
import type { Called, TestServer } from '../../support/server.ts';

export const redirectUris = ['https://app.example.com/callback'];

/** Creates an application and returns its body, with the secret if it has one. */
export async function createApplication(
  server: TestServer,
  options: { token?: string; name?: string; oauth?: Record<string, unknown> } = {},
) {
  const { token = server.owner, name = 'Assistant', oauth = {} } = options;
  const { status, body } = await server.call('POST', '/applications', {
    token,
    body: { name, oauth: { type: 'confidential', redirectUris, ...oauth } },
  });
  if (status !== 201) throw new Error(`creating an application answered ${status}`);
  return { ...body.application, secret: body.oauth.clientSecret };
}

/** Creates an integration and returns its id. */
export async function createIntegration(
  server: TestServer,
  fields: Record<string, unknown> = {},
  token = server.owner,
): Promise<string> {
  const { status, body } = await server.call('POST', '/integrations', {
    token,
    body: { name: 'Issue tracker', url: 'https://mcp.example.com/mcp', ...fields },
  });
  if (status !== 201) throw new Error(`creating an integration answered ${status}`);
  return body.integration.id;
}

export function createIntegrations(server: TestServer, count: number): Promise<string[]> {
  return Promise.all(Array.from({ length: count }, () => createIntegration(server)));
}

/** Writes integrations at once; their ids. */
export async function insertIntegrations(server: TestServer, count: number): Promise<string[]> {
  const { db } = server.store;
  const { organizationId } = await db.user.findFirstOrThrow({ where: { role: 'owner' } });
  const rows = Array.from({ length: count }, () => {
    const { id, createdAt } = createId();
    const integration = { name: 'Issue tracker', url: 'https://mcp.example.com/mcp' };
    const modes = { category: 'gateway_remote_mcp', authMode: 'none' } as const;
    return { id, organizationId, createdAt, updatedAt: createdAt, ...integration, ...modes };
  });
  await db.integration.createMany({ data: rows });
  return rows.map(({ id }) => id);
}

export function attach(
  server: TestServer,
  id: string,
  integrationId: string,
  token = server.owner,
): Promise<Called> {
  return server.call('POST', `/applications/${id}/integrations/${integrationId}`, { token });
}

/** Writes applications of the owner at once, each attached to the given integrations; newest first. */
export async function insertApplications(
  server: TestServer,
  attached: readonly (readonly string[])[],
): Promise<string[]> {
  const { db } = server.store;
  const { id: ownerUserId, organizationId } = await db.user.findFirstOrThrow({
    where: { email: 'owner@localhost' },
  });
  const rows = attached.map((integrationIds) => ({ ...createId(), integrationIds }));
  await db.application.createMany({
    data: rows.map(({ id, createdAt }, index) => ({
      id,
      createdAt,
      updatedAt: createdAt,
      organizationId,
      ownerUserId,
      name: `Application ${index}`,
      clientType: 'public',
      redirectUris,
    })),
  });
  await db.attachment.createMany({
    data: rows.flatMap(({ id: applicationId, integrationIds }) =>
      integrationIds.map((integrationId) => ({
        ...createId(),
        organizationId,
        applicationId,
        integrationId,
      })),
    ),
  });
  return rows.map(({ id }) => id).reverse();
}

/** An application, an attached integration and a session, all of another organization. */
export async function addForeignRows(
  server: TestServer,
): Promise<{ applicationId: string; integrationId: string; sessionId: string }> {
  const token = await addOrganization(server.store);
  const { id: applicationId } = await createApplication(server, { token });
  const integrationId = await createIntegration(server, {}, token);
  await attach(server, applicationId, integrationId, token);
  const sessionId = await insertSession(server, applicationId, integrationId);
  return { applicationId, integrationId, sessionId };
}

/** Writes an open session of an attachment, last active the given number of milliseconds ago. */
export async function insertSession(
  server: TestServer,
  applicationId: string,
  integrationId: string,
  options: {
    silentFor?: number;
    era?: 'legacy' | 'modern';
    grantId?: string;
    userId?: string;
  } = {},
): Promise<string> {
  const { silentFor = 0, era = 'legacy', grantId = randomUUID(), userId = randomUUID() } = options;
  const { db } = server.store;
  const { id, organizationId } = await db.attachment.findFirstOrThrow({
    where: { applicationId, integrationId },
  });
  const session = await db.session.create({
    data: {
      ...createId(),
      organizationId,
      applicationId,
      integrationId,
      attachmentId: id,
      userId,
      tokenId: grantId,
      era,
      lastActivityAt: new Date(Date.now() - silentFor),
    },
  });
  await db.application.update({
    where: { id: applicationId },
    data: { totalSessionCount: { increment: 1 } },
  });
  await db.application.updateMany({
    where: { id: applicationId, firstCallAt: null },
    data: { firstCallAt: session.createdAt },
  });
  return session.id;
}

/** Holds an application's row as a change of it would. */
export function holdApplication(id: string) {
  return (db: TestServer['store']['db']) =>
    db.$queryRaw`SELECT "id" FROM "Application" WHERE "id" = ${id}::uuid FOR UPDATE`;
}
