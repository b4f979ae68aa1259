import type { ConnectedMcpClient, LaunchedGatehouse, McpEra } from '@gatehouse/harness';
import { connectMcpClient } from '@gatehouse/harness';
import type { TestRoute } from './routes.ts';
import type { Witness } from './witness.ts';

/** Connects the official client through the gateway; everything it receives is witnessed. */
export async function connectThroughGateway(
  witness: Witness,
  server: Pick<LaunchedGatehouse, 'origin'>,
  route: Pick<TestRoute, 'path'>,
  { era, token }: { readonly era: McpEra; readonly token: string },
): Promise<ConnectedMcpClient> {
  const url = server.origin + route.path;
  const connected = await connectMcpClient({ url, era, bearer: token });
  witness.client(`${era} client of ${route.path}`, connected.received);
  const { sessionId } = connected.transport;
  if (sessionId !== undefined) {
    witness.secret(`session id of ${route.path}`, sessionId, { mayBeIn: ['client'] });
  }
  return connected;
}
