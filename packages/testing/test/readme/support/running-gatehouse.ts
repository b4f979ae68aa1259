import { type LaunchedGatehouse, launchGatehouse } from '@gatehouse/harness';
import { afterAll, beforeAll, vi } from 'vitest';

/** Runs a Gatehouse during this file's tests, which the environment names as the example expects. */
export function useRunningGatehouse(): void {
  let gatehouse: LaunchedGatehouse | undefined;
  beforeAll(async () => {
    gatehouse = await launchGatehouse();
    vi.stubEnv('GATEHOUSE_BASE_URL', gatehouse.baseUrl);
    vi.stubEnv('GATEHOUSE_ACCESS_TOKEN', gatehouse.bootstrapToken);
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await gatehouse?.dispose();
  });
}
