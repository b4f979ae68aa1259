import fc, { type Parameters } from 'fast-check';
import { incompleteOperations } from './coverage.ts';
import type { Histogram } from './histogram.ts';
import { judge } from './oracle/judge.ts';
import { type Plan, planArbitrary } from './plans/plan.ts';
import { resolve } from './plans/resolve.ts';
import { reportOf } from './report.ts';
import type { FuzzAnswer, FuzzRequest } from './request.ts';
import { createSender, type Sender } from './send.ts';
import { learn } from './world/learn.ts';
import { type FuzzedService, startFuzzedService } from './world/start.ts';

export interface RoundOptions {
  readonly seed: number;
  readonly bounds: Parameters<unknown>;
  readonly histogram: Histogram;
}

/** More would fill the lists of one service, and make a seed hard to follow. */
export const MAX_BATCHES = 1_000;
const AT_ONCE = 3;

/**
 * Sends requests to a fresh service, within bounds; half of them to the operations that have not
 * responded with all of their statuses so far.
 *
 * @throws Error with the smallest batch that still fails, what was sent and what came back
 */
export async function runRound({ seed, bounds, histogram }: RoundOptions): Promise<void> {
  const service = await startFuzzedService();
  const sender = createSender(service.server.baseUrl);
  const plan = fc.oneof(planArbitrary(), planArbitrary(incompleteOperations(histogram)));
  const batches = fc.array(plan, { minLength: 1, maxLength: AT_ONCE });
  try {
    await fc.assert(
      fc.asyncProperty(batches, (batch) => play(service, sender, batch, histogram)),
      { seed, ...bounds },
    );
  } finally {
    sender.close();
    await service.close();
  }
}

async function play(
  service: FuzzedService,
  sender: Sender,
  batch: readonly Plan[],
  histogram: Histogram,
): Promise<void> {
  await service.renewLonelyOwner();
  const { world } = service;
  const requests = batch.flatMap((plan) => {
    const request = resolve(world, plan);
    return plan.isTwin ? [request, request] : [request];
  });
  // A request of a member is allowed or not, depending on when a change of their role takes effect.
  const isSerial = requests.some(({ operation }) => operation.id.startsWith('members.'));
  const answers = isSerial ? [] : await Promise.all(requests.map(sender.send));
  for (const [index, request] of requests.entries()) {
    const answer = answers[index] ?? (await sender.send(request));
    histogram.count(request.operation.id, answer.status, request.plan.isValid);
    const faults = judge(world, request, answer);
    if (faults.length > 0) throw new Error(reportOf(request, answer, faults));
    learn(world, request, answer);
    forgetUnknownBearer(service, request, answer);
  }
}

/** A token that was revoked, or lost its holder, although no answer reported it. */
function forgetUnknownBearer(
  { world }: FuzzedService,
  { actor, bearer, hosts }: FuzzRequest,
  { status }: FuzzAnswer,
): void {
  if (status !== 401 || actor === undefined || bearer !== actor.bearer || hosts) return;
  if (actor.isBase) throw new Error(`The ${actor.role} of ${actor.organization} has lost access.`);
  world.actors.delete(actor.bearer);
}
