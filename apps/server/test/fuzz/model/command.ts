import type { AsyncCommand } from 'fast-check';
import type { Plan } from '../plans/plan.ts';
import { resolve } from '../plans/resolve.ts';
import { reportOf } from '../report.ts';
import { learn } from '../world/learn.ts';
import type { Mirror } from './mirror.ts';
import type { ModelledRun } from './start.ts';

/** Any call at all, made to the server and told to the mock, which must agree on the answer. */
export class CallCommand implements AsyncCommand<Mirror, ModelledRun> {
  readonly plan: Plan;

  constructor(plan: Plan) {
    this.plan = plan;
  }

  check(): boolean {
    return true;
  }

  async run(mirror: Mirror, { world, send }: ModelledRun): Promise<void> {
    const request = resolve(world, this.plan);
    const answer = await send(request);
    learn(world, request, answer);
    const different = await mirror.follow({ request, answer });
    if (different.length > 0) throw new Error(reportOf(request, answer, different));
  }

  toString(): string {
    const { operation, actor, ids, key, ifMatch, mutations } = this.plan;
    return JSON.stringify({ operation, actor, ids, key, ifMatch, mutations });
  }
}
