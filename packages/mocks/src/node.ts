import { setupServer } from 'msw/node';
import { createMockGatehouse, type MockGatehouse } from './create-mock-gatehouse.ts';
import type { MockGatehouseOptions } from './options.ts';

/** A mock Gatehouse and its MSW server for Node. */
export interface MockGatehouseServer {
  readonly gatehouse: MockGatehouse;
  /** Not listening yet. */
  readonly server: ReturnType<typeof setupServer>;
}

/**
 * Creates a mock Gatehouse for tests in Node.
 *
 * @example
 * ```ts
 * const { gatehouse, server } = setupMockGatehouse();
 * beforeAll(() => server.listen());
 * afterEach(() => gatehouse.reset());
 * afterAll(() => server.close());
 * ```
 */
export function setupMockGatehouse(options?: MockGatehouseOptions): MockGatehouseServer {
  const gatehouse = createMockGatehouse(options);
  return { gatehouse, server: setupServer(...gatehouse.handlers) };
}
