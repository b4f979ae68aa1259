import { LaunchError } from '@gatehouse/harness';
import { expect, test } from 'vitest';
import { createApi } from './support/api.ts';
import { startServer, temporaryDirectory } from './support/servers.ts';

/** The long run sets GATEHOUSE_DOUBLE_STARTS to 50. */
const ROUNDS = Number(process.env.GATEHOUSE_DOUBLE_STARTS ?? 1);
const MILLISECONDS_FOR_A_ROUND = 120_000;

test(
  `of two servers that start at once on one data directory exactly one wins, in each of ${ROUNDS} rounds`,
  async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const dataDir = temporaryDirectory();
      const starts = [startServer({ dataDir }), startServer({ dataDir })];
      const settled = await Promise.allSettled(starts);
      const winners = settled.filter((start) => start.status === 'fulfilled');
      const losers = settled.filter((start) => start.status === 'rejected');
      expect([round, winners.length, losers.length]).toEqual([round, 1, 1]);

      const loser: unknown = losers[0]?.reason;
      if (!(loser instanceof LaunchError)) throw loser;
      expect(loser.exit).toEqual({ code: 1, signal: null });
      expect(loser.output.stdout).toBe('');
      expect(loser.output.stderr).toMatch(
        /^The data directory \S+ is in use by another Gatehouse process\.[^\n]*\n$/,
      );

      const winner = winners[0]?.value ?? expect.fail();
      const { body } = await createApi(winner).expect(200, 'GET', '/me');
      expect(body.user.role).toBe('owner');
      expect((await winner.stop()).code).toBe(0);
    }
  },
  10_000 + ROUNDS * MILLISECONDS_FOR_A_ROUND,
);
