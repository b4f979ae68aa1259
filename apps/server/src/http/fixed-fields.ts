import { fixedFieldErrors } from '@gatehouse/contract';
import type { ZodType } from 'zod';
import { ProblemError } from '../platform/problem-error.ts';

/**
 * Refuses a body that would change what this write cannot. Called inside the transaction with what a
 * read shows before the write.
 *
 * @throws ProblemError `validation_failed`
 */
export function checkFixedFields(schema: ZodType, body: unknown, before: object): void {
  const errors = fixedFieldErrors(schema, body, before);
  if (errors.length === 0) return;
  throw new ProblemError('validation_failed', 'The body changes a field that is read-only here.', {
    errors,
  });
}
