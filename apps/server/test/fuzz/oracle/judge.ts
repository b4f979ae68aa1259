import { requestIdPattern } from '@gatehouse/contract';
import { type FuzzAnswer, type FuzzRequest, headerOf } from '../request.ts';
import type { World } from '../world/world.ts';
import { problemFaults } from './problem.ts';
import { refusalReasons } from './refusable.ts';
import { secretFaults } from './secrets.ts';
import { successFaults } from './success.ts';

/** Refusals that come before the rate limit is counted, so its headers are not there. */
const UNCOUNTED = [400, 401, 403];

/** Everything an answer breaks of the contract; empty when it is right. */
export function judge(world: World, request: FuzzRequest, answer: FuzzAnswer): string[] {
  const { status } = answer;
  const { declared } = request.operation;
  const faults = secretFaults(world, request, answer);
  if (status >= 500) faults.push('the server failed');
  if (!declared.has(status)) faults.push(`${status} is not declared for ${request.operation.id}`);
  if (status >= 400)
    return [...faults, ...commonFaults(request, answer), ...problemFaults(request, answer)];
  const reasons = refusalReasons(world, request).map((reason) => `succeeded, though ${reason}`);
  return [
    ...faults,
    ...reasons,
    ...commonFaults(request, answer),
    ...successFaults(request, answer),
  ];
}

function commonFaults(request: FuzzRequest, { status, headers }: FuzzAnswer): string[] {
  const faults: string[] = [];
  const requestId = headers['x-request-id'] ?? '';
  const sentId = headerOf(request, 'x-request-id') ?? '';
  if (!requestIdPattern.test(requestId)) faults.push('no X-Request-Id');
  if (requestIdPattern.test(sentId) && sentId !== requestId) faults.push('the id is not echoed');
  if (headers['cache-control'] !== 'no-store') faults.push('the answer may be stored');
  const isCounted = request.operation.route.access !== 'public' && !UNCOUNTED.includes(status);
  const isGuess = request.plan.actor.who === 'guessing';
  if (isCounted && !isGuess && headers.ratelimit === undefined) faults.push('no RateLimit');
  return faults;
}
