import { type ContractRoute, requestProblem } from '@gatehouse/contract';

/**
 * Parses a response body with the schemas of the contract. Fields that are not declared are removed.
 *
 * @throws Error when the response does not match the contract, which is an error of the mock
 */
export function parseResponse(route: ContractRoute, status: number, body: unknown): unknown {
  const what = `The mock of ${route.method} ${route.path} returned ${status}`;
  const schema = route.responses[status];
  if (schema === undefined) throw new Error(`${what}, which the contract does not declare.`);
  const { success, data, error } = schema.safeParse(body);
  if (success) return data;
  const faults = requestProblem({ body: error.issues }).errors.map(
    ({ pointer, message }) => `${pointer || '/'}: ${message}`,
  );
  throw new Error(`${what} with a body that does not match the contract. ${faults.join(' ')}`);
}
