import { expect } from 'vitest';
import { rule } from '../case.ts';

export const installationCases = {
  title: 'The installation',
  cases: [
    rule('is shown to admins alone', async (t) => {
      for (const [as, status] of [
        [null, 401],
        ['member', 403],
        ['admin', 200],
        ['owner', 200],
      ] as const) {
        expect((await t.call('GET /installation', { as })).status).toBe(status);
      }
    }),

    rule('has one active key, and says where each part of it is changed', async (t) => {
      const { installation } = (await t.ok('GET /installation')).body;
      const { keys, limits, settings, publicUrl } = installation;
      expect(keys.encryption.map((key: { active: boolean }) => key.active)).toEqual([true]);
      expect(`${publicUrl}/api/v1`).toBe(t.service.baseUrl);
      const named = settings.map(({ name }: { name: string }) => name);
      expect(new Set(named).size).toBe(named.length);
      for (const { name } of limits) expect(named).toContain(name);
      expect(settings).toContainEqual({
        name: 'store',
        variable: 'DATABASE_URL',
        page: 'run/configuration#database',
      });
    }),
  ],
};
