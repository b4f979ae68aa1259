import { expect } from 'vitest';
import type { Grant } from '../../../src/generated/prisma/client.ts';
import { insertAccessToken, insertGrant } from '../../support/grants.ts';
import type { TestServer } from '../../support/server.ts';

/** A worker: a confidential application with one credential-only integration attached. */
export interface Worker {
  readonly applicationId: string;
  readonly integrationId: string;
  readonly organizationId: string;
  /** Of the hand-out endpoint, below `/api/v1`. */
  readonly path: string;
}

type Fields = Readonly<Record<string, unknown>>;

export const UPSTREAM = 'http://127.0.0.1:9/api';

export async function addIntegration(server: TestServer, fields: Fields = {}): Promise<string> {
  const made = await server.call('POST', '/integrations', {
    body: {
      ...{ name: 'Reports', url: UPSTREAM, category: 'internal_mcp_credentials' },
      ...{ authMode: 'user_token', ...fields },
    },
  });
  expect(made.status, made.text).toBe(201);
  return made.body.integration.id;
}

export async function addWorker(
  server: TestServer,
  fields: Fields = {},
  oauth: Fields = {},
): Promise<Worker> {
  const integrationId = await addIntegration(server, fields);
  const made = await server.call('POST', '/applications', {
    body: {
      name: 'Worker',
      oauth: {
        ...{ type: 'confidential', redirectUris: ['https://app.example.com/callback'] },
        ...{ scopes: ['mcp', 'credentials'], ...oauth },
      },
    },
  });
  const applicationId: string = made.body.application.id;
  await server.call('POST', `/applications/${applicationId}/integrations/${integrationId}`);
  const { organizationId } = await server.store.db.application.findUniqueOrThrow({
    where: { id: applicationId },
  });
  const path = `/applications/${applicationId}/integrations/${integrationId}/credential`;
  return { applicationId, integrationId, organizationId, path };
}

/** An access token that a person has agreed to, by default the owner, for everything that is attached now. */
export async function tokenForPerson(
  server: TestServer,
  { applicationId }: Pick<Worker, 'applicationId'>,
  fields: {
    readonly grant?: Partial<Omit<Grant, 'id' | 'applicationId' | 'organizationId'>>;
    readonly scopes?: string[];
    readonly audience?: string;
  } = {},
): Promise<{ token: string; grant: Grant }> {
  const attached = await server.store.db.attachment.findMany({ where: { applicationId } });
  const { scopes = ['credentials'], audience = `${server.origin}/mcp/${applicationId}` } = fields;
  const grant = await insertGrant(server, applicationId, {
    resources: [audience],
    scopes,
    integrationIds: attached.map(({ integrationId }) => integrationId),
    ...fields.grant,
  });
  return { grant, token: await insertAccessToken(server, grant, { audience, scopes }) };
}

/** An access token that the application has got for itself, by client credentials. */
export function tokenForItself(server: TestServer, worker: Worker): Promise<string> {
  const audience = `${server.origin}/mcp/${worker.applicationId}`;
  return insertAccessToken(server, worker, { audience, scopes: ['credentials'] });
}

/** Stores the credential of the owner, or of the member with this token. */
export async function connect(
  server: TestServer,
  { integrationId }: Pick<Worker, 'integrationId'>,
  body: Fields = { token: 'secret-of-the-person' },
  token = server.owner,
): Promise<void> {
  const stored = await server.call('POST', `/integrations/${integrationId}/connection`, {
    body,
    token,
  });
  expect(stored.status, stored.text).toBe(200);
}
