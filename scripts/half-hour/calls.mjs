/** What a client sends in each protocol era to call the tool `echo`; `session` as `initialize` opened it. */
const ERAS = {
  modern: async () => ({
    headers: {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'echo',
    },
    meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  }),
  legacy: async (send) => ({
    headers: { 'mcp-protocol-version': '2025-11-25', 'mcp-session-id': await openSession(send) },
  }),
};

async function openSession(send) {
  const clientInfo = { name: 'half-hour', version: '1' };
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  const opened = await send({}, { jsonrpc: '2.0', id: 0, method: 'initialize', params });
  const session = opened.headers.get('mcp-session-id');
  const headers = { 'mcp-protocol-version': '2025-11-25', 'mcp-session-id': session };
  await send(headers, { jsonrpc: '2.0', method: 'notifications/initialized' });
  return session;
}

/**
 * Two functions, for a client of each protocol era. Each calls the tool `echo` once, with a unique
 * text.
 *
 * They throw an Error that says what came instead of that text.
 */
export function createCallers(url, token) {
  const send = async (headers, body) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(30_000),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${response.status} ${text.slice(0, 300)}`);
    return { headers: response.headers, text };
  };
  return Promise.all(
    Object.entries(ERAS).map(async ([era, prepare]) => {
      const { headers, meta } = await prepare(send);
      return async (id) => {
        const text = `${era} call ${id}.`;
        const params = { name: 'echo', arguments: { text }, ...(meta && { _meta: meta }) };
        const response = await send(headers, { jsonrpc: '2.0', id, method: 'tools/call', params });
        if (!response.text.includes(text)) throw new Error(`200 ${response.text.slice(0, 300)}`);
      };
    }),
  );
}
