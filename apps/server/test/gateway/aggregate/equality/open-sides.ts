import { expect, vi } from 'vitest';
import type { Era } from '../../../../src/mcp/era.ts';
import type { TestServer } from '../../../support/server.ts';
import type { Fixture } from '../../fixture.ts';
import { newApplication } from '../aggregate-client.ts';
import type { Sides } from './check-equality.ts';
import { openRawClient } from './raw-client.ts';

/** What a legacy client declares that answers everything. */
const ANSWERING = { elicitation: {}, sampling: {}, roots: {} };

/** What a legacy server hears of a modern client. */
const OF_MODERN_CLIENT = { elicitation: { url: {} } };

const SPOKEN = {
  legacy: { legacy: '2025-11-25', modern: null },
  modern: { legacy: null, modern: '2026-07-28' },
};

/** Two clients of a new integration in a new application. */
export async function openSides(
  fixture: Fixture,
  { name, url }: { name: string; url: string },
  eras: { client: Era; upstream: Era },
): Promise<Sides> {
  const { server, api, integrate } = fixture;
  const applicationId = await newApplication(fixture, name);
  const id = await integrate({ name, url, authMode: 'none' }, SPOKEN[eras.upstream]);
  const path = `/applications/${applicationId}/integrations/${id}`;
  await api('POST', path);
  const alias = 'it';
  await api('PATCH', path, { alias });
  const aggregateUrl = `${server.origin}/mcp/${applicationId}`;
  const isAsked = eras.upstream === 'modern' || eras.client === 'legacy';
  const ofPair = { era: eras.upstream, capabilities: isAsked ? ANSWERING : OF_MODERN_CLIENT };
  const open = (at: string, options: typeof ofPair) =>
    openRawClient({ url: at, token: server.owner, ...options });
  const pair = await open(`${aggregateUrl}/${id}`, ofPair);
  const aggregate = await open(aggregateUrl, { era: eras.client, capabilities: ANSWERING });
  if (eras.upstream === 'legacy') await announcedListsAreStored(server, id);
  return { pair, aggregate, integration: { id, alias, name } };
}

/**
 * A greeting says which lists a server announces. A stream that is open when that is written hears that they may have
 * changed.
 */
async function announcedListsAreStored({ store }: TestServer, id: string): Promise<void> {
  await vi.waitFor(async () => {
    const stored = await store.db.integration.findUniqueOrThrow({ where: { id } });
    expect(stored).toHaveProperty('spokenEras.listChanged');
  }, 10_000);
}
