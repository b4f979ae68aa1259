import fc from 'fast-check';
import { use } from '../../../support/use.ts';
import type { Fixture, TestGateway } from '../../fixture.ts';
import { startFaultyUpstream } from './upstream.ts';
import { step, Walk } from './walk.ts';

const ALIASES = Array.from({ length: 10 }, (_, index) => `u${index}`);

/** The same walk in each run: how long a machine takes decides about states that the model leaves open. */
const SEED = 20261128;

/** @param gateway at which a call that hangs ends later than lists are waited for @returns what walks at random, and compares each answer with the model */
export function useFaultModel(
  fixture: Fixture,
  gateway: Pick<TestGateway, 'origin'>,
): (numRuns: number, steps: number) => Promise<void> {
  const servers = use(async () => {
    const upstreams = await Promise.all(ALIASES.map(startFaultyUpstream));
    const close = async () => {
      await Promise.all(upstreams.map(({ server }) => server.close()));
    };
    return { upstreams, close };
  });
  return async (numRuns, steps) => {
    const people = [
      await fixture.server.addMember('member'),
      await fixture.server.addMember('member'),
    ];
    const tokens = people.map(({ token }) => token);
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: steps, maxLength: steps }), async (taken) => {
        const walk = new Walk(fixture, servers.upstreams);
        await walk.start(gateway.origin, tokens);
        for (const one of taken) await walk.take(one);
      }),
      { numRuns, seed: SEED, endOnFailure: true },
    );
  };
}
