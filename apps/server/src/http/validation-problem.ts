import { requestProblem, type SchemaIssue } from '@gatehouse/contract';
import type { RequestValidationError } from '@ts-rest/express';
import { ProblemError } from '../platform/problem-error.ts';

/** Turns the errors of the contract's schemas into one problem. */
export function validationProblem(error: RequestValidationError): ProblemError {
  const { code, errors } = requestProblem({
    path: issuesOf(error.pathParams),
    query: issuesOf(error.query),
    body: issuesOf(error.body),
  });
  const detail =
    code === 'unknown_field'
      ? 'The body has a field that this operation does not have. Remove it.'
      : 'The request is not valid. The errors name each field or parameter to correct.';
  return new ProblemError(code, detail, { errors });
}

function issuesOf(part: unknown): readonly SchemaIssue[] {
  const hasIssues = part !== null && typeof part === 'object' && 'issues' in part;
  return hasIssues && Array.isArray(part.issues) ? part.issues : [];
}
