import type { UsageResponse } from '@gatehouse/contract';
import { expect } from 'vitest';
import type { Api } from '../api.ts';
import { rule } from '../case.ts';
import { makeApplication, makeIntegration, makeMember } from '../make.ts';
import type { As } from '../targets/target.ts';

const HOUR = 60 * 60_000;
/** The beginning of the hour before this one. */
const hour = () => Math.floor(Date.now() / HOUR - 1) * HOUR;
const iso = (time: number) => new Date(time).toISOString();

/** Three hours around {@link hour}. */
const span = (step = 'hour') =>
  `/usage?from=${iso(hour() - HOUR)}&to=${iso(hour() + 2 * HOUR)}&step=${step}`;

async function read(t: Api, path: string, as: As = 'owner'): Promise<UsageResponse['series']> {
  return (await t.ok(`GET ${path}`, { as })).body.series;
}

/** An application of a new member, an integration, and calls of that member and of another one through it. */
async function makeUse(t: Api) {
  const [owner, other] = [await makeMember(t, 'member'), await makeMember(t, 'member')];
  const { id: applicationId } = await makeApplication(t, {}, { token: owner.token });
  const { id: integrationId } = await makeIntegration(t);
  const place = { applicationId, integrationId, at: iso(hour() + 1_000) };
  await t.service.addCalls({ ...place, userId: owner.id, tool: 'echo', count: 3 });
  await t.service.addCalls({ ...place, userId: owner.id, outcome: 'refused' });
  await t.service.addCalls({ ...place, userId: other.id, tool: 'sum', outcome: 'error', ms: 900 });
  return { applicationId, integrationId, owner, other };
}

const callsOf = (series: UsageResponse['series']) =>
  series.map(({ key, points }) => [key, points.reduce((sum, { calls }) => sum + calls, 0)]);

const NO_CALLS = {
  ...{ calls: 0, refusals: 0, errors: 0, upstreamErrors: 0, bytesIn: 0, bytesOut: 0 },
  ...{ p50: null, p95: null, p99: null, lastErrorAt: null },
};

export const usageCases = {
  title: 'Usage',
  cases: [
    rule('is read by every member with a token', async (t) => {
      for (const [as, status] of [
        [null, 401],
        ['member', 200],
        ['admin', 200],
        ['owner', 200],
      ] as const) {
        expect((await t.call(`GET ${span()}`, { as })).status).toBe(status);
      }
    }),

    rule('has every step of the span, with zeros where no call ended', async (t) => {
      const { applicationId } = await makeUse(t);
      const [series, ...others] = await read(t, `${span()}&applicationId=${applicationId}`);
      expect(others).toEqual([]);
      const made = {
        ...{ calls: 5, refusals: 1, errors: 1, upstreamErrors: 0 },
        ...{ bytesIn: 1_500, bytesOut: 5_000 },
        // Four calls between 25 and 50 ms, and one between 500 and 1,000.
        ...{ p50: 40.6, p95: 875, p99: 975, lastErrorAt: iso(hour() + 1_000) },
      };
      expect(series).toEqual({
        key: null,
        total: made,
        points: [
          { at: iso(hour() - HOUR), ...NO_CALLS },
          { at: iso(hour()), ...made },
          { at: iso(hour() + HOUR), ...NO_CALLS },
        ],
      });
    }),

    rule('has percentiles of all steps together', async (t) => {
      const { applicationId, integrationId, owner } = await makeUse(t);
      const at = iso(hour() + HOUR + 1_000);
      const later = { applicationId, integrationId, userId: owner.id, at, ms: 20 };
      await t.service.addCalls({ ...later, count: 95 });
      await t.service.addCalls({ ...later, outcome: 'upstream_error' });
      const path = `${span()}&applicationId=${applicationId}`;
      const [all] = await read(t, path);
      expect(all?.total).toMatchObject({ calls: 101, refusals: 1, errors: 1, upstreamErrors: 1 });
      // 96 calls between 10 and 25 ms, then four between 25 and 50, and the slow one.
      expect(all?.total).toMatchObject({ p50: 17.9, p95: 25, p99: 49.9 });
      expect(all?.total.lastErrorAt).toBe(at);
      expect(all?.points.map(({ p50 }) => p50)).toEqual([null, 40.6, 17.5]);
      const [ok] = await read(t, `${path}&groupBy=outcome`);
      expect(ok?.total).toEqual({ ...NO_CALLS, calls: 98 });
    }),

    rule('groups calls, the largest series first', async (t) => {
      const { applicationId, integrationId, owner, other } = await makeUse(t);
      const of = (groupBy: string) =>
        read(t, `${span()}&groupBy=${groupBy}&applicationId=${applicationId}`).then(callsOf);
      expect(await of('application')).toEqual([[applicationId, 5]]);
      expect(await of('integration')).toEqual([[integrationId, 5]]);
      expect(await of('tool')).toEqual([
        ['echo', 3],
        ['sum', 1],
      ]);
      expect(await of('person')).toEqual([
        [owner.id, 4],
        [other.id, 1],
      ]);
      expect(await of('outcome')).toEqual([
        ['ok', 3],
        ['refused', 1],
        ['error', 1],
        ['upstream_error', 0],
      ]);
    }),

    rule('is read by minute and by day too', async (t) => {
      const { applicationId } = await makeUse(t);
      const [minutes] = await read(t, `${span('minute')}&applicationId=${applicationId}`);
      expect(minutes?.points).toHaveLength(180);
      expect(minutes?.points[60]).toMatchObject({ at: iso(hour()), calls: 5 });
      const [days] = await read(t, `${span('day')}&applicationId=${applicationId}`);
      expect(callsOf(days === undefined ? [] : [days])).toEqual([[null, 5]]);
    }),

    rule('takes several applications and integrations', async (t) => {
      const [one, other, third] = [await makeUse(t), await makeUse(t), await makeUse(t)];
      const both = `applicationId=${one.applicationId},${other.applicationId.toUpperCase()}`;
      expect(callsOf(await read(t, `${span()}&${both}`))).toEqual([[null, 10]]);
      const { integrationId } = other;
      expect(callsOf(await read(t, `${span()}&${both}&integrationId=${integrationId}`))).toEqual([
        [null, 5],
      ]);
      const elsewhere = `${span()}&${both}&integrationId=${third.integrationId}`;
      expect(callsOf(await read(t, elsewhere))).toEqual([[null, 0]]);
    }),

    rule(
      'shows everything to admins, an application to its owner, and everyone themselves',
      async (t) => {
        const { applicationId, owner, other } = await makeUse(t);
        const stranger = await makeMember(t, 'member');
        const path = `${span()}&applicationId=${applicationId}`;
        const seen = async (as: As, at = path) => callsOf(await read(t, at, as))[0]?.[1];
        expect(await seen('admin')).toBe(5);
        expect(await seen({ token: owner.token })).toBe(5);
        expect(await seen({ token: other.token })).toBe(1);
        expect(await seen({ token: stranger.token })).toBe(0);
        expect(await seen('stranger')).toBe(0);
        // Without the application, or with one of another person, the owner is one of its people.
        expect(await seen({ token: owner.token }, span())).toBe(4);
        const second = await makeApplication(t);
        expect(await seen({ token: owner.token }, `${path},${second.id}`)).toBe(4);
        const people = await read(t, `${path}&groupBy=person`, { token: other.token });
        expect(callsOf(people)).toEqual([[other.id, 1]]);
      },
    ),

    rule('refuses what is not kept, and too many points', async (t) => {
      const { applicationId, owner, other } = await makeUse(t);
      const refused = async (path: string, as: As = 'owner') => {
        const { status, body } = await t.call(`GET ${path}`, { as });
        return [status, body.code, body.errors?.[0]?.parameter];
      };
      const problem = (parameter: string) => [400, 'validation_failed', parameter];
      expect(await refused(`${span('minute')}&groupBy=tool`)).toEqual(problem('groupBy'));
      expect(await refused(`${span('minute')}&groupBy=person`)).toEqual(problem('groupBy'));
      expect(await refused(span('minute'), { token: owner.token })).toEqual(problem('step'));
      const own = `${span('minute')}&applicationId=${applicationId}`;
      expect(await refused(own, { token: other.token })).toEqual(problem('step'));
      await t.ok(`GET ${own}`, { as: { token: owner.token } });
      const to = iso(2_000 * HOUR);
      await t.ok(`GET /usage?from=${iso(0)}&to=${to}&step=hour`);
      expect(await refused(`/usage?from=${iso(0)}&to=${iso(2_000 * HOUR + 1)}&step=hour`)).toEqual(
        problem('step'),
      );
      expect(await refused(`/usage?from=${to}&to=${to}&step=day`)).toEqual(problem('to'));
      expect(await refused(`/usage?to=${to}&step=day`)).toEqual(problem('from'));
      expect(await refused(`${span()}&applicationId=${applicationId},x`)).toEqual(
        problem('applicationId'),
      );
    }),
  ],
};
