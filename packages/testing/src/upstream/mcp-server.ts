import { McpServer, type ServerNotifier } from '@modelcontextprotocol/server';
import type { createFixtureStates } from './input-required/requests.ts';
import { registerSingleRoundTools } from './input-required/single-round.ts';
import { registerStatefulTools } from './input-required/stateful.ts';
import { registerPrompts } from './prompts.ts';
import { registerResources } from './resources.ts';
import { registerAccountTools } from './tools/account.ts';
import { registerClientRequestTools } from './tools/client-requests.ts';
import { registerContentTools } from './tools/content.ts';
import { registerPlainTools } from './tools/plain.ts';
import { registerSchemaTools } from './tools/schemas.ts';
import { registerStatelessTools } from './tools/stateless.ts';
import { registerStreamingTools } from './tools/streaming.ts';

/** State that all server instances of one upstream share. */
export interface SharedState {
  readonly states: ReturnType<typeof createFixtureStates>;
  readonly notifier: ServerNotifier;
  /** Whether requests carry access tokens of users. */
  readonly hasAccounts: boolean;
}

/** Creates an instance: one for each legacy session and each modern request, all the same. */
export function createReferenceServer(shared: SharedState): McpServer {
  const { states, notifier, hasAccounts } = shared;
  const server = new McpServer(
    { name: 'reference-upstream', version: '1.0.0' },
    {
      capabilities: {
        tools: { listChanged: true },
        resources: { subscribe: true, listChanged: true },
        prompts: { listChanged: true },
        logging: {},
        completions: {},
      },
      requestState: { verify: states.verify },
    },
  );
  registerPlainTools(server);
  registerContentTools(server);
  registerStreamingTools(server);
  registerClientRequestTools(server);
  registerSchemaTools(server);
  registerStatelessTools(server, notifier);
  registerSingleRoundTools(server);
  registerStatefulTools(server, states);
  if (hasAccounts) registerAccountTools(server);
  registerResources(server);
  registerPrompts(server);
  server.server.setRequestHandler('completion/complete', async () => ({
    completion: { values: [], total: 0, hasMore: false },
  }));
  return server;
}
