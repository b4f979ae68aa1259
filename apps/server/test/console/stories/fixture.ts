import { expect } from 'vitest';
import type { TestServer } from '../../support/server.ts';

/** @returns the id of a new integration */
export async function addIntegration(
  server: TestServer,
  body: Readonly<Record<string, unknown>>,
): Promise<string> {
  const { status, text, body: answer } = await server.call('POST', '/integrations', { body });
  expect(status, text).toBe(201);
  return answer.integration.id;
}

export interface Application {
  readonly id: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** A new application of the owner that may use these integrations. */
export async function addApplication(
  server: TestServer,
  name: string,
  integrationIds: readonly string[],
  oauth: Readonly<Record<string, unknown>> = {},
): Promise<Application> {
  const made = await server.call('POST', '/applications', {
    body: { name, oauth: { type: 'confidential', redirectUris: [], ...oauth } },
  });
  expect(made.status, made.text).toBe(201);
  const { id } = made.body.application;
  for (const integrationId of integrationIds) {
    await server.call('POST', `/applications/${id}/integrations/${integrationId}`);
  }
  const { clientId, clientSecret } = made.body.oauth;
  return { id, clientId, clientSecret };
}
