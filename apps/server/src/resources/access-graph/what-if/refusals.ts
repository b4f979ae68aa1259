import { limits } from '@gatehouse/contract';
import { type ProblemDetail, ProblemError } from '../../../platform/problem-error.ts';

/** A change that its own operation would refuse. `index` is its place. */
export function refuseChange(index: number, errors: readonly ProblemDetail[]): never {
  const located = errors.map((error) => ({
    ...error,
    pointer: `/changes/${index}${error.pointer ?? ''}`,
  }));
  throw new ProblemError('validation_failed', 'One of the changes cannot be made.', {
    errors: located.slice(0, limits.problemErrors),
  });
}

/** @throws ProblemError `validation_failed`: an answer would take too long or too much memory */
export function refuseSize(what: string): never {
  const message = `The changes concern too many ${what}. Ask about fewer changes.`;
  throw new ProblemError('validation_failed', message, {
    errors: [{ pointer: '/changes', code: 'too_big', message }],
  });
}
