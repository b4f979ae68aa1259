import fc from 'fast-check';
import { it } from 'vitest';
import { expectAgreement } from './model/agreement.ts';
import { decision, runOf } from './model/arbitraries.ts';
import { expectDecisions } from './model/contract-decisions.ts';
import { useWorld } from './model/world.ts';

const worlds = useWorld();

it('the decisions of the contract agree with the rules', () => {
  fc.assert(fc.property(decision, expectDecisions), { numRuns: 5_000 });
});

it('gateway, lists, access graph and what-if agree with the rules, also when tools change between them', async () => {
  await fc.assert(
    fc.asyncProperty(runOf(3, 'each'), (run) => expectAgreement(worlds, run)),
    { numRuns: 15, endOnFailure: true },
  );
});
