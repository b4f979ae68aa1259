import { expect, it } from 'vitest';
import { type Upstream, UpstreamEras } from '../../src/eras/upstream-eras.ts';
import { createTestOrganization } from '../credentials/fixtures.ts';
import { useStore } from '../support/store.ts';

const store = useStore();
const silent = { request: () => new Promise<never>(() => {}) };

function upstream(integrationId: string, url = 'https://mcp.example/'): Upstream {
  return { organizationId: 'organization', integrationId, target: { url }, spokenEras: {} };
}

it('what is noted of one server before the next write is written together', async () => {
  const { addIntegration } = await createTestOrganization(store);
  const { integrationId, url } = await addIntegration({});
  const eras = new UpstreamEras({ store, egress: silent, onError() {} });
  eras.note(upstream(integrationId, url), { modern: '2026-07-28' });
  eras.note(upstream(integrationId, url), { legacy: '2025-11-25', listChanged: [] });
  await eras.close();
  const stored = await store.db.integration.findUniqueOrThrow({ where: { id: integrationId } });
  const noted = { modern: '2026-07-28', legacy: '2025-11-25', listChanged: [] };
  expect(stored.spokenEras).toEqual({ url, ...noted });
});

it('callers without a credential do not wait while sixteen servers are being asked for others', async () => {
  let asked = 0;
  const egress = {
    request: () => {
      asked += 1;
      return new Promise<never>(() => {});
    },
  };
  const eras = new UpstreamEras({ store, egress, onError() {} });
  for (let i = 0; i < 16; i += 1) void eras.ask(upstream(`${i}`), undefined);
  expect(await eras.ask(upstream('17'), undefined)).toEqual({});
  // Each server is asked in both eras.
  expect(asked).toBe(2 * 16);
  const headers = [['authorization', 'Bearer x']] as const;
  const credential = { source: 'server_token', connectionId: undefined, headers };
  void eras.ask(upstream('17'), { userId: 'person', credential });
  expect(asked).toBe(2 * 17);
  await eras.close();
});
