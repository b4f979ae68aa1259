import type { ClientScenario } from '@gatehouse/harness';
import { createMember, type Member } from '../../connect/fixture.ts';
import type { TestServer } from '../../support/server.ts';
import { useClient } from './clients.ts';
import { connectAccount, connectPathIn } from './connect-account.ts';
import { attach } from './organization.ts';

/** How often a person follows the link again that a client shows. */
const PATIENCE = 4;

/**
 * Plays a scenario as Gatehouse is used: an administrator adds the mock, a person connects an account where
 * the gateway says so, an official client works through the gateway, and the administrator validates.
 *
 * @throws what the client, or a page, says in the end
 */
export async function play(server: TestServer, scenario: ClientScenario): Promise<void> {
  const { integrationId, url } = await attach(server, scenario);
  const person = await createMember(server);
  const page = `/connect?integration=${integrationId}`;
  if (scenario.name.startsWith('auth/')) {
    await connectAccount(person, page);
  }
  for (let turn = 0; ; turn += 1) {
    const failure = await useClient(scenario, url, person.token).catch((error: Error) => error);
    if (failure === undefined) break;
    const path =
      connectPathIn(failure.message) ??
      ((await isRejected(server, person, integrationId)) ? page : undefined);
    if (path === undefined || turn === PATIENCE) throw failure;
    await connectAccount(person, path);
  }
  await server.call('POST', `/integrations/${integrationId}/validate`);
}

/** What Gatehouse shows a person whose client says nothing of it: modern clients do not show an error of their first call. */
async function isRejected(
  server: TestServer,
  { token }: Member,
  integrationId: string,
): Promise<boolean> {
  await server.call('POST', `/integrations/${integrationId}/connection/test`, { token });
  const { body } = await server.call('GET', `/integrations/${integrationId}/connection`, { token });
  return body.connection.reason !== undefined;
}
