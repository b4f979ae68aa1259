import type { Era } from '../../../../src/mcp/era.ts';
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
  return {
    pair: await open(`${aggregateUrl}/${id}`, ofPair),
    aggregate: await open(aggregateUrl, {
      ...{ era: eras.client, capabilities: ANSWERING },
    }),
    integration: { id, alias, name },
  };
}
