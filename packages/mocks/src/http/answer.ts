import { requestProblem, type SchemaIssue } from '@gatehouse/contract';
import {
  type AppRoute,
  isAppRouteNoBody,
  isAppRouteOtherResponse,
  validateIfSchema,
} from '@ts-rest/core';

/**
 * Parses an answer by the contract: what it does not declare of a body is left out.
 *
 * @throws Error naming what does not fit, which is a fault of the mock and not of the request
 */
export function parseAnswer(route: AppRoute, status: number, body: unknown): unknown {
  const what = `The mock of ${route.method} ${route.path} answers ${status}`;
  const declared = route.responses[status];
  if (declared === undefined) throw new Error(`${what}, which the contract does not declare.`);
  if (isAppRouteNoBody(declared)) return undefined;
  const schema = isAppRouteOtherResponse(declared) ? declared.body : declared;
  const { value, error } = validateIfSchema(body, schema);
  if (!error) return value;
  const issues: readonly SchemaIssue[] = 'issues' in error ? error.issues : [];
  const faults = requestProblem({ body: issues }).errors.map(
    ({ pointer, message }) => `${pointer || '/'}: ${message}`,
  );
  throw new Error(`${what} with a body that does not fit the contract. ${faults.join(' ')}`);
}
