import { type LaunchedGatehouse, launchGatehouse } from '@gatehouse/harness';
import { afterAll, beforeAll, vi } from 'vitest';

let gatehouse: LaunchedGatehouse | undefined;

/** The environment that the example expects. */
beforeAll(async () => {
  gatehouse = await launchGatehouse();
  vi.stubEnv('GATEHOUSE_BASE_URL', gatehouse.baseUrl);
  vi.stubEnv('GATEHOUSE_ACCESS_TOKEN', gatehouse.bootstrapToken);
});

afterAll(async () => {
  vi.unstubAllEnvs();
  await gatehouse?.dispose();
});
