import {
  type ClientConformanceRun,
  type ConformanceCheck,
  requiredScenarios,
  runClientConformance,
} from '@gatehouse/harness';
import { beforeAll, describe, expect, it } from 'vitest';
import { EXPECTED_RUNS, oursOf } from './client/expected.ts';
import { NOT_OURS } from './client/not-ours.ts';
import { startPlaying } from './client/play.ts';

describe.each(EXPECTED_RUNS)(
  'conformance $tool client $args',
  ({ tool, args, scenarios, refused, basicClientId }) => {
    let run: ClientConformanceRun;

    beforeAll(async () => {
      const play = await startPlaying(scenarios.length);
      run = await runClientConformance({ tool, args, play });
    }, 300_000);

    it('runs exactly these scenarios', () => {
      expect(run.scenarios.map(({ name }) => name)).toEqual(scenarios);
    });

    it('scores no scenario as failing, except those of extensions that we leave out', () => {
      const failures = checksOf(run, 'FAILURE').filter(({ name }) => NOT_OURS[name] === undefined);
      expect(failures, run.output).toEqual([]);
      const passed = run.scenarios.filter(({ checks }) =>
        checks.some(({ status }) => status === 'SUCCESS'),
      );
      expect(passed.map(({ name }) => name)).toEqual(
        expect.arrayContaining([...oursOf(scenarios)]),
      );
    });

    it('leaves out nothing that the revision requires', async () => {
      const [option, value] = args;
      const required = option === '--requirements' ? await requiredScenarios(value, 'client') : [];
      expect(required.filter((name) => !oursOf(scenarios).includes(name))).toEqual([]);
    });

    it('warns only of a client id that is not the URL which the tool expects', () => {
      expect(checksOf(run, 'WARNING')).toEqual([
        {
          name: 'auth/basic-cimd',
          check: expect.objectContaining({
            id: 'cimd-client-id-used',
            details: {
              expectedClientId: 'https://conformance-test.local/client-metadata.json',
              actualClientId: expect.stringMatching(basicClientId),
            },
          }),
        },
      ]);
    });

    it('lets the client succeed, except where something must be refused', () => {
      const failed = run.played.filter(({ name, error }) => error !== undefined && !NOT_OURS[name]);
      expect(failed.map(({ name }) => name).sort(), JSON.stringify(failed)).toEqual(refused);
    });
  },
);

interface Found {
  readonly name: string;
  readonly check: ConformanceCheck;
}

function checksOf(
  { scenarios }: ClientConformanceRun,
  status: ConformanceCheck['status'],
): Found[] {
  return scenarios.flatMap(({ name, checks }) =>
    checks.filter((check) => check.status === status).map((check) => ({ name, check })),
  );
}
