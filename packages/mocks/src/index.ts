// Everything exported here is public: names stay, shapes only gain.
export {
  createMockGatehouse,
  type MockGatehouse,
  type MockTokens,
} from './create-mock-gatehouse.ts';
export type {
  FixtureConnection,
  FixtureMember,
  FixtureSession,
  Fixtures,
} from './fixtures/create-fixtures.ts';
export {
  type MockRequest,
  type MockResponse,
  type MockRouteOptions,
  mockRoute,
} from './mock-route.ts';
export type { MockGatehouseOptions } from './options.ts';
export { type ProblemAnswer, type ProblemOptions, problem } from './problem.ts';
