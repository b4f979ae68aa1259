import { issueMessage, type SchemaIssue } from './issue-messages.ts';
import { jsonPointer } from './json-pointer.ts';
import { limits } from './limits.ts';
import type { ProblemError } from './problem.ts';
import type { ProblemCode } from './problem-codes.ts';

export interface RequestIssues {
  readonly path?: readonly SchemaIssue[] | undefined;
  readonly query?: readonly SchemaIssue[] | undefined;
  readonly body?: readonly SchemaIssue[] | undefined;
}

/** The code and the `errors` of the 400 problem for an invalid request. */
export interface RequestProblem {
  code: Extract<ProblemCode, 'validation_failed' | 'unknown_field'>;
  errors: ProblemError[];
}

const names = (issue: SchemaIssue): string[] =>
  (issue.path ?? []).map((step) => String(typeof step === 'object' ? step.key : step));

const issueCode = (issue: SchemaIssue): string =>
  typeof issue.code === 'string' && issue.code !== 'custom' ? issue.code : 'invalid_value';

function bodyErrors(issue: SchemaIssue): ProblemError[] {
  const path = names(issue);
  if (issue.code === 'unrecognized_keys' && Array.isArray(issue.keys)) {
    return issue.keys.slice(0, limits.problemErrors).map((key) => ({
      pointer: jsonPointer([...path, String(key)]),
      code: 'unknown_field',
      message: 'There is no such field.',
    }));
  }
  return [{ pointer: jsonPointer(path), code: issueCode(issue), message: issueMessage(issue) }];
}

function parameterError(issue: SchemaIssue): ProblemError {
  const parameter = names(issue)[0] ?? '';
  return { parameter, code: issueCode(issue), message: issueMessage(issue) };
}

const first = (issues: readonly SchemaIssue[]) => issues.slice(0, limits.problemErrors);

/**
 * Turns schema issues into the `errors` of a problem document, at most 20 of them. The code is
 * `unknown_field` when unknown fields are the only errors. No message repeats an input value.
 */
export function requestProblem(issues: RequestIssues): RequestProblem {
  const errors = [
    ...first([...(issues.path ?? []), ...(issues.query ?? [])]).map(parameterError),
    ...first(issues.body ?? []).flatMap(bodyErrors),
  ];
  const onlyUnknown = errors.length > 0 && errors.every(({ code }) => code === 'unknown_field');
  return {
    code: onlyUnknown ? 'unknown_field' : 'validation_failed',
    errors: errors.slice(0, limits.problemErrors),
  };
}
