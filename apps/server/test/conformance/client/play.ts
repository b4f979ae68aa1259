import type { ClientScenario, PlayScenario } from '@gatehouse/harness';
import { signedInBrowser } from '../../authorization-server/fixture.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';
import { useClient } from './clients.ts';
import { connectAccount, connectPathIn } from './connect-account.ts';
import { NOT_OURS } from './not-ours.ts';
import { attach } from './organization.ts';

/** How often a person connects again. */
const PATIENCE = 4;

/** Servers fetch a Client ID Metadata Document by https only. */
export const HTTPS_ORIGIN = 'https://gatehouse.example.com';

/**
 * Plays scenarios with one Gatehouse, which is closed after this many: the mocks end only when its
 * connections do.
 */
export async function startPlaying(count: number): Promise<PlayScenario> {
  const server = await startTestServer();
  let left = count;
  return async (scenario) => {
    try {
      await play(server, scenario);
    } finally {
      left -= 1;
      if (left === 0) await server.close();
    }
  };
}

/** @throws what the client, or a page, says in the end */
async function play(server: TestServer, scenario: ClientScenario): Promise<void> {
  const reason = NOT_OURS[scenario.name];
  if (reason !== undefined) throw new Error(reason);
  if (scenario.name !== 'auth/basic-cimd') return playWith(server, scenario);
  const onHttps = await startTestServer({ publicUrl: HTTPS_ORIGIN });
  try {
    await playWith(onHttps, scenario, HTTPS_ORIGIN);
  } finally {
    await onHttps.close();
  }
}

/**
 * As Gatehouse is used: an administrator adds the mock, a person connects an account, an official client
 * works through the gateway, the person connects again where that says so, and the administrator validates.
 */
async function playWith(
  server: TestServer,
  scenario: ClientScenario,
  publicUrl?: string,
): Promise<void> {
  const { integrationId, url } = await attach(server, scenario);
  const { id, token } = await server.addMember('member');
  const person = { browser: await signedInBrowser(server, id, publicUrl) };
  const page = `/connect?integration=${integrationId}`;
  if (scenario.name.startsWith('auth/')) await connectAccount(person, page);
  for (let turn = 0; ; turn += 1) {
    const failure = await useClient(scenario, url, token).catch((error: Error) => error);
    if (failure === undefined) break;
    const isToldElsewhere = await isRejected(server, token, integrationId);
    const path = connectPathIn(failure.message) ?? (isToldElsewhere ? page : undefined);
    if (path === undefined || turn === PATIENCE) throw failure;
    await connectAccount(person, path);
  }
  await server.call('POST', `/integrations/${integrationId}/validate`);
}

/** Whether the person's connections page asks to connect again. Modern clients hide an error of their first call. */
async function isRejected(
  server: TestServer,
  token: string,
  integrationId: string,
): Promise<boolean> {
  const path = `/integrations/${integrationId}/connection`;
  await server.call('POST', `${path}/test`, { token });
  const { body } = await server.call('GET', path, { token });
  return body.connection?.reason !== undefined;
}
