import { type ContractRoute, fixedFieldErrors, requestProblem } from '@gatehouse/contract';
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
export function parseRequest(entry: ContractRoute, parts: RequestParts): RequestParts {
  const params = parsePart(parts.params, entry.pathParams);
  const query = parsePart(parts.query, entry.query);
  const body = parsePart(parts.body, entry.body);
  if (params.success && query.success && body.success) {
    return { params: params.data, query: query.data, body: body.data };
  }
  const { code, errors } = requestProblem({
    path: params.error?.issues ?? [],
    query: query.error?.issues ?? [],
    body: body.error?.issues ?? [],
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

/** A part without a schema is as it was sent. */
function parsePart(part: unknown, schema: ContractRoute['body']) {
  return schema ? schema.safeParse(part) : { success: true, data: part, error: undefined };
}
