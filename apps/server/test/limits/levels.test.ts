import { expect, it } from 'vitest';
import { type LimitsRow, levelLimitsOf } from '../../src/limits/levels.ts';

const NOTHING: LimitsRow = {
  applicationId: 'app',
  integrationId: 'int',
  integrationRules: null,
  applicationRules: null,
  attachmentRules: null,
  callsPerMinute: null,
  concurrentCalls: null,
};

it('without limits there are no levels, whatever the other rules are', () => {
  expect(levelLimitsOf(NOTHING)).toBeUndefined();
  const attachmentRules = { roles: ['admin'], limits: {} };
  expect(levelLimitsOf({ ...NOTHING, attachmentRules })).toBeUndefined();
});

it('a person, an application and an integration are limited by themselves', () => {
  const levels = levelLimitsOf({
    ...NOTHING,
    attachmentRules: { limits: { perMinute: 1 } },
    callsPerMinute: 2,
    concurrentCalls: 3,
    integrationRules: { limits: { concurrent: 4 } },
  });
  expect(levels).toEqual([
    { level: 'person', key: 'person:app/int/', limits: { perMinute: 1 } },
    { level: 'application', key: 'application:app', limits: { perMinute: 2, concurrent: 3 } },
    { level: 'integration', key: 'integration:int', limits: { concurrent: 4 } },
  ]);
});

it('of two limits for each person the lower holds', () => {
  const levels = levelLimitsOf({
    ...NOTHING,
    applicationRules: { limits: { perMinute: 10, concurrent: 5 } },
    attachmentRules: { limits: { perMinute: 100, concurrent: 1 } },
  });
  expect(levels?.map(({ limits }) => limits)).toEqual([{ perMinute: 10, concurrent: 1 }]);
});
