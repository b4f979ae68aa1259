import type { IncomingMessage } from 'node:http';
import { drainRest, tooLargeRestLimits } from '../http/discard.ts';
import type { ProblemError } from '../platform/problem-error.ts';
import { bodyTooLarge } from './problems.ts';

/** Begins to discard a body that is too large. @returns the problem to respond with */
export function refuseTooLarge(req: IncomingMessage, limit: number): ProblemError {
  drainRest(req, tooLargeRestLimits);
  return bodyTooLarge(limit);
}
