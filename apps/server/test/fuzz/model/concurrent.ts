import type { Plan } from '../plans/plan.ts';
import { resolve } from '../plans/resolve.ts';
import type { FuzzRequest } from '../request.ts';
import type { Actor } from '../world/entity.ts';
import { learn } from '../world/learn.ts';
import { createMirror, type Exchange } from './mirror.ts';
import { type ModelledRun, simpleRequest } from './start.ts';

/** What was asked and answered so far, in an order that explains it. */
export type History = readonly Exchange[];

export interface Explanation {
  /** `undefined` when no order of the calls explains what the server answered and became. */
  readonly history: History | undefined;
  /** For each order that was tried, the first difference. */
  readonly attempts: readonly string[];
}

/** Makes calls at the same time, then looks at everything there is. */
export async function callAtOnce(run: ModelledRun, plans: readonly Plan[]): Promise<Exchange[][]> {
  const requests = plans.map((plan) => resolve(run.world, plan));
  const exchanges = await Promise.all(
    requests.map(async (request) => ({ request, answer: await run.send(request) })),
  );
  for (const { request, answer } of exchanges) learn(run.world, request, answer);
  const seen: Exchange[] = [];
  for (const request of observations(run)) {
    seen.push({ request, answer: await run.send(request) });
  }
  return [exchanges.filter((exchange) => !isStillRunning(exchange)), seen];
}

/** Searches a serial order of the calls that a mock agrees with, and that ends in the same state. */
export async function explain(
  run: ModelledRun,
  history: History,
  [calls = [], seen = []]: readonly (readonly Exchange[])[],
): Promise<Explanation> {
  const attempts: string[] = [];
  for (const order of permutations(calls)) {
    const candidate = [...history, ...order, ...seen];
    const different = await firstDifference(run, candidate);
    if (different === undefined) return { history: candidate, attempts };
    attempts.push(different);
  }
  return { history: undefined, attempts };
}

async function firstDifference(run: ModelledRun, history: History): Promise<string | undefined> {
  const mirror = createMirror({ owners: run.owners, isAnyOrder: true });
  for (const { request, answer } of [...run.beginning, ...history]) {
    const different = await mirror.follow({ request, answer });
    if (different.length > 0) return `${request.method} ${request.path}: ${different.join('; ')}`;
  }
  return undefined;
}

/** It changed nothing, and mocks run one call at a time. */
function isStillRunning({ answer }: Exchange): boolean {
  return Object(answer.body).code === 'idempotency_in_progress';
}

const ALL = { limit: '100', includeArchived: 'true' };

function observations({ world, owners: [owner] }: ModelledRun): FuzzRequest[] {
  const actor = world.actors.get(owner ?? '') as Actor;
  return [
    simpleRequest('integrations.list', actor, undefined, ALL),
    simpleRequest('applications.list', actor, undefined, { ...ALL, all: 'true' }),
    simpleRequest('applications.accessGraph', actor, undefined, { includePolicy: 'true' }),
    simpleRequest('members.list', actor, undefined, { limit: '100' }),
  ];
}

function permutations<Value>(values: readonly Value[]): Value[][] {
  if (values.length === 0) return [[]];
  return values.flatMap((first, index) =>
    permutations(values.filter((_, other) => other !== index)).map((rest) => [first, ...rest]),
  );
}
