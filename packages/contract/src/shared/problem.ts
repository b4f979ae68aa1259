import * as z from 'zod';
import { isProblemCode, type ProblemCode, problemCodes } from './problem-codes.ts';

/** The media type of every error (RFC 9457). */
export const PROBLEM_CONTENT_TYPE = 'application/problem+json';

/** The `type` of a problem: `urn:gatehouse:problem:<code>`. */
export function problemType(code: ProblemCode): string {
  return `urn:gatehouse:problem:${code}`;
}

/** One code of the closed list. */
export const problemCodeSchema = z
  .custom<ProblemCode>((value) => typeof value === 'string' && isProblemCode(value))
  .meta({ type: 'string', enum: Object.keys(problemCodes) });

/** One validation error: in the body at a JSON pointer (RFC 6901), or in a named parameter. */
export interface ProblemError {
  pointer?: string | undefined;
  parameter?: string | undefined;
  code: string;
  message: string;
}

/** A problem document (RFC 9457) with the extensions `code`, `requestId` and `errors`. */
export interface Problem {
  type: string;
  title: string;
  status: number;
  detail?: string | undefined;
  instance?: string | undefined;
  code: ProblemCode;
  requestId: string;
  errors?: ProblemError[] | undefined;
}

// Named types, because every operation has this schema for a dozen statuses, and inlined it would be
// most of the declaration file.
export const problemErrorSchema: z.ZodType<ProblemError, ProblemError> = z.object({
  pointer: z.string().optional(),
  parameter: z.string().optional(),
  code: z.string(),
  message: z.string(),
});

export const problemSchema: z.ZodType<Problem, Problem> = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int().min(100).max(599),
  detail: z.string().optional(),
  instance: z.string().optional(),
  code: problemCodeSchema,
  requestId: z.string(),
  errors: z.array(problemErrorSchema).optional(),
});
