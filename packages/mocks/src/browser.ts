import { setupWorker } from 'msw/browser';
import { createMockGatehouse, type MockGatehouse } from './create-mock-gatehouse.ts';
import type { MockGatehouseOptions } from './options.ts';

/** A mock Gatehouse and its MSW worker for a browser. */
export interface MockGatehouseWorker {
  readonly gatehouse: MockGatehouse;
  /** Not started yet. */
  readonly worker: ReturnType<typeof setupWorker>;
}

/**
 * Creates a mock Gatehouse for a page. The origin of the page must serve MSW's worker script.
 *
 * @example
 * ```ts
 * const { gatehouse, worker } = setupMockGatehouse({ baseUrl: location.origin });
 * await worker.start({ onUnhandledRequest: 'bypass' });
 * ```
 */
export function setupMockGatehouse(options?: MockGatehouseOptions): MockGatehouseWorker {
  const gatehouse = createMockGatehouse(options);
  return { gatehouse, worker: setupWorker(...gatehouse.handlers) };
}
