import { requestProblem, type SchemaIssue } from '@gatehouse/contract';
import type { RequestValidationError } from '@ts-rest/express';
import { ProblemError } from '../platform/problem-error.ts';

/** Turns what the contract's schemas said of a request into one problem. */
export function validationProblem(error: RequestValidationError): ProblemError {
  const { code, errors } = requestProblem({
    path: issuesOf(error.pathParams),
    query: issuesOf(error.query),
    body: issuesOf(error.body),
  });
  const detail =
    code === 'unknown_field'
      ? 'The body has a field this operation does not know.'
      : 'The request does not fit the contract.';
  return new ProblemError(code, detail, { errors });
}

function issuesOf(part: unknown): readonly SchemaIssue[] {
  const hasIssues = part !== null && typeof part === 'object' && 'issues' in part;
  return hasIssues && Array.isArray(part.issues) ? part.issues : [];
}
