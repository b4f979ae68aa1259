import { expect } from 'vitest';
import type { Api } from '../api.ts';
import { rule } from '../case.ts';
import { makeApplication, makeIntegration, NOWHERE } from '../make.ts';

const MINUTE = 60_000;

/** An application with an attached integration. */
async function make(t: Api) {
  const applicationId: string = (await makeApplication(t)).id;
  const integrationId: string = (await makeIntegration(t)).id;
  await t.ok(`POST /applications/${applicationId}/integrations/${integrationId}`);
  return { applicationId, integrationId };
}

const countsOf = async (t: Api, id: string) => {
  const { application } = (await t.ok(`GET /applications/${id}`)).body;
  return [
    application.activeSessionCount,
    application.idleSessionCount,
    application.liveSessionCount,
    application.totalSessionCount,
  ];
};

const statesOf = async (t: Api, id: string) =>
  (await t.ok(`GET /applications/${id}/sessions`)).body.items.map(
    ({ state }: { state: string }) => state,
  );

export const sessionCases = {
  title: 'Sessions',
  cases: [
    rule('are counted by their silence, and expire by their era', async (t) => {
      const made = await make(t);
      await t.service.addSession(made);
      await t.service.addSession({ ...made, silentFor: 6 * MINUTE });
      await t.service.addSession({ ...made, silentFor: 31 * MINUTE, era: 'legacy' });
      await t.service.addSession({ ...made, silentFor: 31 * MINUTE, era: 'modern' });
      await t.service.addSession({ ...made, silentFor: 25 * 60 * MINUTE, era: 'legacy' });
      expect(await countsOf(t, made.applicationId)).toEqual([1, 2, 0, 5]);
      expect(await statesOf(t, made.applicationId)).toEqual([
        'expired',
        'expired',
        'open',
        'open',
        'open',
      ]);
    }),

    rule('are listed newest first, in pages', async (t) => {
      const made = await make(t);
      const ids = [await t.service.addSession(made), await t.service.addSession(made)];
      const path = `GET /applications/${made.applicationId}/sessions?limit=1`;
      const first = (await t.ok(path)).body;
      expect(first.items).toEqual([
        {
          kind: 'session',
          id: ids[1],
          integrationId: made.integrationId,
          userId: expect.any(String),
          era: expect.stringMatching(/^(legacy|modern)$/),
          state: 'open',
          live: false,
          createdAt: expect.any(String),
          lastActivityAt: expect.any(String),
          endedAt: null,
          expiresAt: null,
        },
      ]);
      const second = (await t.ok(`${path}&cursor=${first.nextCursor}`)).body;
      expect([second.items[0].id, second.nextCursor]).toEqual([ids[0], null]);
      const other = await make(t);
      const elsewhere = `GET /applications/${other.applicationId}/sessions?cursor=${first.nextCursor}`;
      expect((await t.problem(elsewhere)).code).toBe('invalid_cursor');
    }),

    rule('are revoked one by one, again without effect', async (t) => {
      const made = await make(t);
      const id = await t.service.addSession(made);
      const line = `DELETE /applications/${made.applicationId}/sessions/${id}`;
      expect((await t.call(line)).status).toBe(204);
      expect(await statesOf(t, made.applicationId)).toEqual(['revoked']);
      expect((await t.call(line)).status).toBe(204);
      const unknown = `DELETE /applications/${made.applicationId}/sessions/${NOWHERE}`;
      expect((await t.problem(unknown)).code).toBe('not_found');
      const { applicationId } = await make(t);
      const misplaced = `DELETE /applications/${applicationId}/sessions/${id}`;
      expect((await t.problem(misplaced)).code).toBe('not_found');
    }),

    rule('end with what they rest on', async (t) => {
      for (const end of [
        (a: string) => `DELETE /applications/${a}`,
        (_a: string, i: string) => `DELETE /integrations/${i}`,
        (a: string, i: string) => `DELETE /applications/${a}/integrations/${i}`,
      ]) {
        const made = await make(t);
        await t.service.addSession(made);
        const line = end(made.applicationId, made.integrationId);
        await t.ok(line);
        expect([line, await statesOf(t, made.applicationId)]).toEqual([line, ['revoked']]);
        expect(await countsOf(t, made.applicationId)).toEqual([0, 0, 0, 1]);
      }
    }),

    rule('stay dead when the application is restored', async (t) => {
      const made = await make(t);
      await t.service.addSession(made);
      await t.ok(`DELETE /applications/${made.applicationId}`);
      await t.ok(`POST /applications/${made.applicationId}/restore`);
      expect(await countsOf(t, made.applicationId)).toEqual([0, 0, 0, 1]);
    }),
  ],
};
