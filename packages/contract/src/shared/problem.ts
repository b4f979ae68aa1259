import * as z from 'zod';
import { components } from './components.ts';
import { type PolicyReason, policyReasonSchema } from './policy-reason.ts';
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

/** A problem document (RFC 9457) with the extensions `code`, `requestId`, `errors`, `connectUrl`, `reasons` and `tools`. */
export interface Problem {
  type: string;
  title: string;
  status: number;
  detail?: string | undefined;
  instance?: string | undefined;
  code: ProblemCode;
  requestId: string;
  errors?: ProblemError[] | undefined;
  connectUrl?: string | undefined;
  reasons?: PolicyReason[] | undefined;
  tools?: string[] | undefined;
}

// Named types, because every operation has this schema for a dozen statuses, and inlined it would be
// most of the declaration file.
export const problemErrorSchema: z.ZodType<ProblemError, ProblemError> = z
  .object({
    pointer: z.string().optional().describe('Where in the body, as a JSON pointer (RFC 6901).'),
    parameter: z
      .string()
      .optional()
      .describe('The name of the parameter or header, for errors outside the body.'),
    code: z.string().describe('What kind of error it is.'),
    message: z.string().describe('What to correct, in a sentence. It never repeats what was sent.'),
  })
  .register(components, { id: 'ProblemError' });

export const problemSchema: z.ZodType<Problem, Problem> = z
  .object({
    type: z.string().describe('The code as a URN: `urn:gatehouse:problem:<code>`.'),
    title: z.string().describe('The kind of problem in a sentence, the same for each code.'),
    status: z.int().min(100).max(599).describe('The HTTP status of the response.'),
    detail: z
      .string()
      .optional()
      .describe('What happened this time and what to do, in a sentence. The text may change.'),
    instance: z.string().optional().describe('The path of the request.'),
    code: problemCodeSchema.describe(
      'What programs decide by. A code keeps its meaning and its status.',
    ),
    requestId: z.string().describe('The `X-Request-Id` of the response, which is in the logs too.'),
    errors: z
      .array(problemErrorSchema)
      .optional()
      .describe('What is wrong with the request, at most 20.'),
    connectUrl: z
      .string()
      .optional()
      .describe('Where the person connects an account, with `connection_required`.'),
    reasons: z
      .array(policyReasonSchema)
      .optional()
      .describe('With `policy_refused`: why, and the level of each rule that says so.'),
    tools: z
      .array(z.string())
      .optional()
      .describe('With `tools_changed`: the names of the tools to read again, at most 100.'),
  })
  .register(components, { id: 'Problem', description: 'Why a request was refused (RFC 9457).' });
