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

/** The gateway of the demo: a small server of both eras behind each gateway URL, with the tools that are known of it. */
export async function answerMcp(gatehouse: MockGatehouse, request: Request): Promise<Response> {
  if (request.method === 'DELETE') return new Response(null, { status: 204 });
  const message = (await request.json()) as Rpc;
  if (message.id === undefined) return new Response(null, { status: 202 });
  const isModern = request.headers.get('mcp-protocol-version') === MODERN;
  const integrationId = new URL(request.url).pathname.split('/')[3] ?? '';
  const result = await resultOf(message, () => toolsOf(gatehouse, integrationId));
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
  tools: () => Promise<readonly Json[]>,
): Promise<Json | undefined> {
  const about = { capabilities: { tools: {} }, serverInfo: { name: 'Demo', version: '1' } };
  if (method === 'initialize') return { protocolVersion: LEGACY, ...about };
  if (method === 'server/discover') return { supportedVersions: [MODERN, LEGACY], ...about };
  if (method === 'tools/list') return { tools: await tools() };
  if (method !== 'tools/call') return undefined;
  const { name, arguments: args = {} } = params;
  return {
    content: [{ type: 'text', text: `${String(name)} was called in the demo.` }],
    structuredContent: args,
  };
}

async function toolsOf(gatehouse: MockGatehouse, integrationId: string): Promise<readonly Json[]> {
  const { baseUrl, tokens, handlers } = gatehouse;
  const request = new Request(`${baseUrl}/integrations/${integrationId}/tools?limit=100`, {
    headers: { authorization: `Bearer ${tokens.owner}` },
  });
  const response = await getResponse([...handlers], request);
  if (!response?.ok) return [ECHO];
  const { items } = (await response.json()) as { items: { definition: Json | null }[] };
  const known = items.flatMap(({ definition }) => (definition === null ? [] : [definition]));
  return [ECHO, ...known];
}
