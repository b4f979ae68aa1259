import { expect, it } from 'vitest';
import { createEraNotes } from '../../../src/credentials/probe/era-notes.ts';
import { useStore } from '../../support/store.ts';
import { createTestOrganization } from '../fixtures.ts';

const store = useStore();

it('what is noted of one server before the next write is written together', async () => {
  const { addIntegration } = await createTestOrganization(store);
  const { integrationId, url } = await addIntegration({});
  const notes = createEraNotes(store, () => {});
  notes.note({ integrationId, url, spokenEras: {} }, { modern: '2026-07-28' });
  notes.note({ integrationId, url, spokenEras: {} }, { legacy: '2025-11-25', listChanged: [] });
  await notes.close();
  const stored = await store.db.integration.findUniqueOrThrow({ where: { id: integrationId } });
  const eras = { modern: '2026-07-28', legacy: '2025-11-25', listChanged: [] };
  expect(stored.spokenEras).toEqual({ url, ...eras });
});
