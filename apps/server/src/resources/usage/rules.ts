import type { UsageStep } from '@gatehouse/contract';
import { ProblemError } from '../../platform/problem-error.ts';

/** @throws ProblemError `validation_failed` */
export function requireKeptByPerson(step: UsageStep): void {
  if (step !== 'minute') return;
  const message =
    'Minutes are not kept by person: name applications of your own, or ask for hours.';
  throw new ProblemError('validation_failed', message, {
    errors: [{ parameter: 'step', code: 'custom', message }],
  });
}
