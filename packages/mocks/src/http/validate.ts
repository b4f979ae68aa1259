import { fixedFieldErrors, requestProblem, type SchemaIssue } from '@gatehouse/contract';
import { type AppRoute, validateIfSchema } from '@ts-rest/core';
import type { FixedFieldsSchema } from './operation.ts';
import { Refusal } from './refusal.ts';

/** Path parameters, query and body of a request, before or after parsing. */
export interface RequestParts {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

/**
 * Parses a request with the schemas of the contract.
 *
 * @throws Refusal `validation_failed` or `unknown_field`, listing every error.
 */
export function parseRequest(entry: AppRoute, parts: RequestParts): RequestParts {
  const params = validateIfSchema(parts.params, entry.pathParams);
  const query = validateIfSchema(parts.query, entry.query);
  const body = validateIfSchema(parts.body, 'body' in entry ? entry.body : null);
  if (!params.error && !query.error && !body.error) {
    return { params: params.value, query: query.value, body: body.value };
  }
  const { code, errors } = requestProblem({
    path: issuesOf(params.error),
    query: issuesOf(query.error),
    body: issuesOf(body.error),
  });
  const detail =
    code === 'unknown_field'
      ? 'The body has a field that this operation does not have. Remove it.'
      : 'The request is not valid. The errors name each field or parameter to correct.';
  throw new Refusal(code, detail, { errors });
}

/** @throws Refusal `validation_failed` when a body would change fields that are read-only there. */
export function requireFixed(schema: FixedFieldsSchema, body: unknown, before: object): void {
  const errors = fixedFieldErrors(schema, body, before);
  if (errors.length === 0) return;
  const detail = 'The body changes a field that is read-only here.';
  throw new Refusal('validation_failed', detail, { errors });
}

/** The query of a URL. A repeated parameter becomes a list, which no schema of the contract accepts. */
export function queryOf(url: string): Record<string, string | string[]> {
  const { searchParams } = new URL(url);
  return Object.fromEntries(
    [...new Set(searchParams.keys())].map((name) => {
      const [first = '', ...others] = searchParams.getAll(name);
      return [name, others.length === 0 ? first : [first, ...others]];
    }),
  );
}

function issuesOf(error: unknown): readonly SchemaIssue[] {
  const hasIssues = typeof error === 'object' && error !== null && 'issues' in error;
  return hasIssues && Array.isArray(error.issues) ? error.issues : [];
}
