import { setupWorker } from 'msw/browser';
import { createMockGatehouse, type MockGatehouse } from './create-mock-gatehouse.ts';
import type { MockGatehouseOptions } from './options.ts';

/** A mock Gatehouse and the MSW worker that answers for it in a browser. */
export interface MockGatehouseWorker {
  readonly gatehouse: MockGatehouse;
  /** Not started yet. */
  readonly worker: ReturnType<typeof setupWorker>;
}

/**
 * Makes a mock Gatehouse for a page; MSW's worker script must be served by the page's origin.
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
