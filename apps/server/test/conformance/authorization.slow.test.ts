import { conformanceVerdicts, findFreePort, runAuthorizationConformance } from '@gatehouse/harness';
import { expect, it } from 'vitest';
import { useSurroundings } from '../authorization-server/clients/surroundings.ts';

const surroundings = useSurroundings();

it('the authorization server passes every scenario for one', async () => {
  const port = await findFreePort();
  const { clientId, mcpUrl } = await surroundings.createApplication({
    redirectUris: [`http://127.0.0.1:${port}/callback`],
    // The tool warns where metadata documents are not supported.
    allowDynamicClients: true,
  });
  const run = await runAuthorizationConformance({
    issuer: surroundings.server.origin,
    clientId,
    resource: mcpUrl,
    port,
    visit: async (url) => fetch(await surroundings.agree(url)),
  });
  expect(conformanceVerdicts(run), run.output).toEqual([
    'authorization-code-grant › authorization-code-grant: SUCCESS',
    'authorization-server-metadata-endpoint › authorization-server-metadata: SUCCESS',
    'authorization-server-metadata-endpoint › authorization-server-metadata-cimd: SUCCESS',
  ]);
  expect(run.exitCode, run.output).toBe(0);
});
