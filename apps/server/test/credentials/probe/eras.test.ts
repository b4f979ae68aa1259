import { expect, it } from 'vitest';
import type { CredentialOutcome } from '../../../src/credentials/outcome.ts';
import { UpstreamEras } from '../../../src/eras/upstream-eras.ts';
import { readSpokenEras, type SpokenEras } from '../../../src/mcp/spoken-eras.ts';
import { useStore } from '../../support/store.ts';
import { createTestOrganization } from '../fixtures.ts';
import {
  closeAfter,
  INITIALIZED,
  legacy,
  NONE,
  probe,
  reference,
  SERVER_TOKEN,
  scripted,
} from './support.ts';

const store = useStore();

/** The lists that the reference server declares. */
const LISTS = ['tools', 'prompts', 'resources'];

/** The eras that a validation stores. */
async function erasAt(
  url: string,
  outcome: CredentialOutcome = NONE,
  authMode: 'user_token' | 'none' = 'user_token',
): Promise<SpokenEras> {
  const { addIntegration } = await createTestOrganization(store);
  const { integrationId } = await addIntegration({ url });
  await probe(url, outcome, {
    ...{ authMode, integrationId },
    eras: (egress) => {
      const eras = new UpstreamEras({ store, egress, askWithin: 30_000, onError: fail });
      closeAfter(() => eras.close());
      return eras;
    },
  });
  const stored = await store.db.integration.findUniqueOrThrow({ where: { id: integrationId } });
  return readSpokenEras(stored.spokenEras, url);
}

function fail(error: unknown): never {
  throw error;
}

it('validate finds both eras of a server that speaks both, and ends the session that it opened', async () => {
  const upstream = await reference({});
  expect(await erasAt(upstream.url)).toEqual({
    modern: '2026-07-28',
    legacy: '2025-11-25',
    listChanged: LISTS,
  });
  expect(upstream.sessionIds).toEqual([]);
});

it('validate finds the legacy era alone, in the version that the server has', async () => {
  const older = legacy({
    initialize: async ({ respondResult }) =>
      respondResult({ ...INITIALIZED, protocolVersion: '2025-03-26' }),
  });
  const { url } = await scripted(older);
  expect(await erasAt(url)).toEqual({ modern: null, legacy: '2025-03-26', listChanged: [] });
});

it('validate finds the modern era alone', async () => {
  const { url } = await scripted(({ message, respond, respondResult }) => {
    if (message?.method === 'initialize') respond({ status: 400, body: {} });
    else respondResult({ capabilities: {}, supportedVersions: ['2026-07-28'] });
  });
  expect(await erasAt(url)).toEqual({ modern: '2026-07-28', legacy: null, listChanged: [] });
});

it('validate leaves open what a missing credential hides', async () => {
  const guarded = await reference({}, 'modern', 'initialize');
  expect(await erasAt(guarded.url)).toEqual({ modern: '2026-07-28', listChanged: LISTS });
  const closed = await reference({ requireBearer: 'another' });
  expect(await erasAt(closed.url, SERVER_TOKEN)).toEqual({});
});

it('validate does not ask for the other era where nobody has to connect', async () => {
  const upstream = await reference({});
  expect(await erasAt(upstream.url, NONE, 'none')).toEqual({
    modern: '2026-07-28',
    listChanged: LISTS,
  });
});
