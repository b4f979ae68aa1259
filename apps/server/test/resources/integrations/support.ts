import { randomUUID } from 'node:crypto';
import type { CreateIntegrationBody, Integration } from '@gatehouse/contract';
import { createId } from '../../../src/platform/ids.ts';
import type { Called, TestServer } from '../../support/server.ts';

/** Creates an integration as the owner. */
export async function createIntegration(
  server: TestServer,
  body: Partial<CreateIntegrationBody> = {},
): Promise<Integration> {
  const created = await server.call('POST', '/integrations', {
    body: { name: 'Search', url: 'https://mcp.example.com/mcp', ...body },
  });
  if (created.status !== 201) throw new Error(`POST /integrations: ${created.text}`);
  return created.body.integration;
}

/** Reads an integration as the given token's user, by default the owner. */
export async function readIntegration(
  server: TestServer,
  id: string,
  token?: string,
): Promise<Integration> {
  const read = await server.call('GET', `/integrations/${id}`, token ? { token } : {});
  return read.body.integration;
}

/** The code of a problem and where it points. */
export function problemOf({ status, body }: Called) {
  return {
    status,
    code: body.code,
    at: body.errors?.map((error: { pointer?: string; parameter?: string }) => {
      return error.pointer ?? error.parameter;
    }),
  };
}

/** An open session of the owner on an integration, through an application it is attached to. */
export async function openSession(server: TestServer, integrationId: string): Promise<string> {
  const application = await server.call('POST', '/applications', {
    body: {
      name: 'Editor',
      oauth: { type: 'public', redirectUris: ['http://localhost/callback'] },
    },
  });
  const applicationId = application.body.application.id;
  await server.call('POST', `/applications/${applicationId}/integrations/${integrationId}`);
  const { db } = server.store;
  const attachment = await db.attachment.findFirstOrThrow({ where: { applicationId } });
  const me = await server.call('GET', '/me');
  const { id, createdAt } = createId();
  await db.session.create({
    data: {
      id,
      organizationId: attachment.organizationId,
      applicationId,
      integrationId,
      attachmentId: attachment.id,
      userId: me.body.user.id,
      tokenId: randomUUID(),
      era: 'modern',
      createdAt,
      lastActivityAt: createdAt,
    },
  });
  return id;
}

/** The state of a session as stored. */
export async function sessionState(server: TestServer, id: string): Promise<string> {
  const session = await server.store.db.session.findUniqueOrThrow({ where: { id } });
  return session.state;
}
