import {
  type ClientScenario,
  type ConnectedMcpClient,
  connectMcpClient,
  type McpClientOptions,
} from '@gatehouse/harness';

/** What the client of a scenario does once it is connected. */
export type UseClient = (client: ConnectedMcpClient, scenario: ClientScenario) => Promise<unknown>;

/** An official client, and what it does. */
export interface ScenarioClient {
  readonly capabilities?: NonNullable<McpClientOptions['capabilities']>;
  readonly use: UseClient;
}

const ELICITATION = { elicitation: { form: { applyDefaults: true } } };

/** By scenario; the others list the tools and call the first. */
const CLIENTS: Readonly<Record<string, ScenarioClient>> = {
  'elicitation-sep1034-client-defaults': {
    capabilities: ELICITATION,
    async use(connected) {
      connected.client.setRequestHandler('elicitation/create', () => ({
        action: 'accept',
        content: {},
      }));
      await callAll(connected);
    },
  },
  'sep-2322-client-request-state': {
    capabilities: ELICITATION,
    async use(connected) {
      connected.client.setRequestHandler('elicitation/create', () => ({
        action: 'accept',
        content: { confirmed: true },
      }));
      await callAll(connected);
    },
  },
  'http-standard-headers': {
    async use({ client }) {
      const { tools } = await client.listTools();
      for (const { name } of tools) await client.callTool({ name, arguments: {} });
      const { resources } = await client.listResources();
      for (const { uri } of resources) await client.readResource({ uri });
      const { prompts } = await client.listPrompts();
      for (const { name } of prompts) await client.getPrompt({ name });
    },
  },
  'http-custom-headers': {
    async use({ client }, { context }) {
      await client.listTools();
      for (const call of context.toolCalls as {
        name: string;
        arguments: Record<string, unknown>;
      }[])
        await client.callTool(call);
    },
  },
  'http-invalid-tool-headers': { use: callAll },
  'json-schema-ref-no-deref': { use: ({ client }) => client.listTools() },
  'json-schema-2020-12-preservation': {
    async use({ client }) {
      const { tools } = await client.listTools();
      const schema = tools.find(({ name }) => name === 'json_schema_2020_12_tool')?.inputSchema;
      await client.callTool({ name: 'json_schema_echo', arguments: { schema } });
    },
  },
};

function clientOf({ name }: ClientScenario): ScenarioClient {
  return CLIENTS[name] ?? { use: callFirst };
}

/** Connects the client through the gateway, in the era of the scenario, and uses it. */
export async function useClient(
  scenario: ClientScenario,
  url: string,
  bearer: string,
): Promise<void> {
  const { capabilities = {}, use } = clientOf(scenario);
  const era = scenario.protocolVersion === '2026-07-28' ? 'modern' : 'legacy';
  const client = await connectMcpClient({ url, era, bearer, capabilities });
  try {
    await use(client, scenario);
  } finally {
    await client.client.close();
  }
}

async function callAll({ client }: ConnectedMcpClient): Promise<void> {
  const { tools } = await client.listTools();
  for (const { name } of tools) await client.callTool({ name, arguments: {} });
}

async function callFirst({ client }: ConnectedMcpClient): Promise<void> {
  const { tools } = await client.listTools();
  const [first] = tools;
  if (first !== undefined) await client.callTool({ name: first.name, arguments: { a: 2, b: 3 } });
}
