import { fixedFieldErrors } from '@gatehouse/contract';
import { ProblemError } from '../platform/problem-error.ts';

/**
 * Refuses a body that would change what this PATCH cannot. Called inside the transaction with what the
 * response shows, which no PATCH changes in these fields.
 *
 * @throws ProblemError `validation_failed`
 */
export function checkFixedFields(body: unknown, resource: object, names: readonly string[]): void {
  const errors = fixedFieldErrors(body, resource, names);
  if (errors.length === 0) return;
  throw new ProblemError('validation_failed', 'The body changes a field that is read-only here.', {
    errors,
  });
}
