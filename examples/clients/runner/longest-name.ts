import { type Exchange, type ScriptedUpstream, startScriptedUpstream } from '@gatehouse/testing';

/** What the tool answers. */
export const LONGEST_ANSWER = 'The longest name works.';

/** Longer than a name may be at the one URL. */
const NAME = 'a_tool_with_a_name_that_is_longer_than_any_model_takes_and_so_is_cut_at_the_one_url';

const ANSWER = { content: [{ type: 'text', text: LONGEST_ANSWER }] };

/** Starts an MCP server up to 2025-11-25 with one tool, of a long name. */
export async function startLongNamed(): Promise<ScriptedUpstream> {
  const upstream = await startScriptedUpstream();
  const inputSchema = { type: 'object', properties: {} };
  const results: Readonly<Record<string, object>> = {
    initialize: {
      protocolVersion: '2025-11-25',
      capabilities: { tools: {} },
      serverInfo: { name: 'long', version: '1' },
    },
    'tools/list': { tools: [{ name: NAME, description: 'It has a long name.', inputSchema }] },
  };
  upstream.otherwise(({ message, request, respond, respondResult }: Exchange) => {
    const isCall = message?.method === 'tools/call' && nameIn(request.body) === NAME;
    const result = isCall ? ANSWER : results[message?.method ?? ''];
    if (result !== undefined) return respondResult(result);
    if (message === undefined) return respond({ status: 405 });
    if (message.id === undefined) return respond({ status: 202 });
    const error = { code: -32601, message: 'Method not found' };
    respond({ body: { jsonrpc: '2.0', id: message.id, error } });
  });
  return upstream;
}

function nameIn(body: Buffer): string | undefined {
  return JSON.parse(body.toString()).params?.name;
}
