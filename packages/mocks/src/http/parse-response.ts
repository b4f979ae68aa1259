import { requestProblem, type SchemaIssue } from '@gatehouse/contract';
import {
  type AppRoute,
  isAppRouteNoBody,
  isAppRouteOtherResponse,
  validateIfSchema,
} from '@ts-rest/core';

/**
 * Parses a response body with the schemas of the contract. Fields that are not declared are removed.
 *
 * @throws Error when the response does not match the contract, which is an error of the mock
 */
export function parseResponse(route: AppRoute, status: number, body: unknown): unknown {
  const what = `The mock of ${route.method} ${route.path} returned ${status}`;
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
  throw new Error(`${what} with a body that does not match the contract. ${faults.join(' ')}`);
}
