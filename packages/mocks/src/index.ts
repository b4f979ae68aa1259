// Everything exported here is public: names are never removed, and types only gain fields.
export {
  createMockGatehouse,
  type MockGatehouse,
  type MockTokens,
} from './create-mock-gatehouse.ts';
export type { FixtureAccessToken, IssuedAccessToken } from './fixtures/access-token-of.ts';
export type { FixtureCallEvent } from './fixtures/call-event-of.ts';
export type {
  FixtureCalls,
  FixtureConnection,
  FixtureListing,
  FixtureMember,
  FixtureNode,
  FixtureSession,
  Fixtures,
  FixtureTool,
} from './fixtures/create-fixtures.ts';
export type { FixtureGrant } from './fixtures/grant-of.ts';
export {
  type MockRequest,
  type MockResponse,
  type MockRouteOptions,
  mockRoute,
} from './mock-route.ts';
export type { MockGatehouseOptions } from './options.ts';
export { type ProblemOptions, type ProblemResponse, problem } from './problem.ts';
export type { ConnectOutcome, MockDiscovery, MockValidation } from './state/outcomes.ts';
