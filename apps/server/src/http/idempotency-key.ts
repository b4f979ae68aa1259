import { idempotencyKeyPattern } from '@gatehouse/contract';
import type { Request } from 'express';
import { ProblemError } from '../platform/problem-error.ts';

/** The `Idempotency-Key` of a request, if it has one. @throws ProblemError `validation_failed` */
export function idempotencyKeyOf(req: Request): string | undefined {
  const header = req.headers['idempotency-key'];
  if (header === undefined) return undefined;
  if (typeof header === 'string' && idempotencyKeyPattern.test(header)) return header;
  throw new ProblemError(
    'validation_failed',
    'Idempotency-Key must be 1 to 255 visible ASCII characters.',
    {
      errors: [
        {
          parameter: 'Idempotency-Key',
          code: 'invalid',
          message: 'Must be 1 to 255 visible ASCII characters.',
        },
      ],
    },
  );
}
