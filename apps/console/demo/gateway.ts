import type { MockGatehouse } from '@gatehouse/mocks';
import { getResponse } from 'msw';

type Json = Readonly<Record<string, unknown>>;

interface Rpc {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: Json;
}

const MODERN = '2026-07-28';
const LEGACY = '2025-11-25';
const SESSION = 'demo-session-0123456789';

const ECHO: Json = {
  name: 'echo',
  title: 'Say it again',
  description: 'Answers what it was called with. <b>Nothing</b> leaves this page.',
  inputSchema: {
    type: 'object',
    properties: {
      text: { type: 'string', title: 'Text', description: 'What to say.' },
      times: { type: 'integer', title: 'Times', default: 1 },
      tone: { enum: ['calm', 'loud'], title: 'Tone' },
      isPolite: { type: 'boolean', title: 'Politely' },
      labels: { type: 'array', items: { type: 'string' }, title: 'Labels' },
    },
    required: ['text'],
  },
};

const GREETING: Json = {
  name: 'greeting',
  description: 'Greets someone.',
  arguments: [{ name: 'whom', description: 'Their name.', required: true }],
};
const NOTES: Json = { uri: 'demo://notes', name: 'Notes', mimeType: 'text/plain' };
const NOTE: Json = { uriTemplate: 'demo://notes/{number}', name: 'One of the notes' };

interface Attached {
  readonly id: string;
  readonly alias: string;
  readonly mcpUrl: string | null;
}

/** The gateway of the demo: a small server of both eras behind each gateway URL, with the tools that are known of it. */
export async function answerMcp(gatehouse: MockGatehouse, request: Request): Promise<Response> {
  if (request.method === 'DELETE') return new Response(null, { status: 204 });
  const message = (await request.json()) as Rpc;
  if (message.id === undefined) return new Response(null, { status: 202 });
  const isModern = request.headers.get('mcp-protocol-version') === MODERN;
  const [, , applicationId = '', integrationId] = new URL(request.url).pathname.split('/');
  const result = await resultOf(message, () =>
    integrationId === undefined
      ? toolsOfAll(gatehouse, applicationId)
      : toolsOf(gatehouse, integrationId).then((tools) => ({ tools })),
  );
  const body = {
    jsonrpc: '2.0',
    id: message.id,
    ...(result === undefined
      ? { error: { code: -32601, message: 'There is no such method.' } }
      : { result: isModern ? { resultType: 'complete', ...result } : result }),
  };
  const headers = {
    'x-request-id': crypto.randomUUID(),
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    ...(message.method === 'initialize' && { 'mcp-session-id': SESSION }),
  };
  return Response.json(body, { headers });
}

async function resultOf(
  { method, params = {} }: Rpc,
  tools: () => Promise<Json>,
): Promise<Json | undefined> {
  const capabilities = { tools: {}, prompts: {}, resources: {} };
  const about = { capabilities, serverInfo: { name: 'Demo', version: '1' } };
  if (method === 'initialize') return { protocolVersion: LEGACY, ...about };
  if (method === 'server/discover') return { supportedVersions: [MODERN, LEGACY], ...about };
  if (method === 'tools/list') return tools();
  if (method === 'prompts/list') return { prompts: [GREETING] };
  if (method === 'resources/list') return { resources: [NOTES] };
  if (method === 'resources/templates/list') return { resourceTemplates: [NOTE] };
  const { name, arguments: args = {}, uri } = params;
  if (method === 'prompts/get') {
    const text = `Greet ${String((args as Json).whom)}.`;
    return { messages: [{ role: 'user', content: { type: 'text', text } }] };
  }
  if (method === 'resources/read') return { contents: [{ uri, text: `This is ${String(uri)}.` }] };
  if (method !== 'tools/call') return undefined;
  return {
    content: [{ type: 'text', text: `${String(name)} was called in the demo.` }],
    structuredContent: args,
  };
}

/** With the names that they have at the one URL. */
async function toolsOfAll(gatehouse: MockGatehouse, applicationId: string): Promise<Json> {
  const read = await readAsOwner(gatehouse, `/applications/${applicationId}`);
  const { integrations } = (read as { application: { integrations: Attached[] } }).application;
  const proxied = integrations.filter(({ mcpUrl }) => mcpUrl !== null);
  const lists = await Promise.all(proxied.map(({ id }) => toolsOf(gatehouse, id)));
  return {
    tools: proxied.flatMap(({ alias }, index) =>
      (lists[index] ?? []).map((tool) => ({ ...tool, name: `${alias}__${String(tool.name)}` })),
    ),
    _meta: {
      'gatehouse/integrations': proxied.map(({ id, alias }, index) => ({
        ...{ id, alias, state: 'ok' },
        count: lists[index]?.length ?? 0,
      })),
    },
  };
}

async function toolsOf(gatehouse: MockGatehouse, integrationId: string): Promise<readonly Json[]> {
  const read = await readAsOwner(gatehouse, `/integrations/${integrationId}/tools?limit=100`);
  const { items = [] } = (read ?? {}) as { items?: { definition: Json | null }[] };
  const known = items.flatMap(({ definition }) => (definition === null ? [] : [definition]));
  return [ECHO, ...known];
}

async function readAsOwner(gatehouse: MockGatehouse, path: string): Promise<unknown> {
  const { baseUrl, tokens, handlers } = gatehouse;
  const request = new Request(baseUrl + path, {
    headers: { authorization: `Bearer ${tokens.owner}` },
  });
  const response = await getResponse([...handlers], request);
  return response?.ok ? response.json() : undefined;
}
