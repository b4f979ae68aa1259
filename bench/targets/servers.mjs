// Many small MCP servers in one process: node servers.mjs <port>. Each URL is another server, such as
// `/3?era=modern&delay=100`. It lists its tools after that delay, in milliseconds. Both eras unless it names one.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';

const MODERN = '2026-07-28';
const TOOLS = 50;
const DESCRIPTION = 'Reads rows, filters them and returns what is left. '.repeat(8);

const [port] = process.argv.slice(2);
const tools = ['echo', ...Array.from({ length: TOOLS - 1 }, (_, index) => `tool-${index}`)].map(
  (name) => ({ name, description: DESCRIPTION, inputSchema: { type: 'object' } }),
);

const server = createServer((req, res) => {
  if (req.url === '/ready') return void res.end();
  if (req.method === 'GET') return void res.writeHead(405).end();
  if (req.method === 'DELETE') return void res.writeHead(204).end();
  const { searchParams } = new URL(req.url, 'http://localhost');
  const chunks = [];
  req.on('data', (chunk) => chunks.push(chunk));
  req.on('end', () => {
    const message = JSON.parse(Buffer.concat(chunks));
    const isModern = req.headers['mcp-protocol-version'] === MODERN;
    answer(res, message, { ...Object.fromEntries(searchParams), isModern });
  });
});
server.keepAliveTimeout = 0;
server.listen(Number(port), '127.0.0.1');

function answer(res, { id, method, params }, { era, delay = 0, isModern }) {
  if (id === undefined) return void res.writeHead(202).end();
  const result = (members) => sendJson(res, { jsonrpc: '2.0', id, result: members });
  const isOtherEra = era !== undefined && (era === 'modern') !== isModern;
  if (isOtherEra) return refuse(res, id, method);
  const capabilities = { tools: {} };
  switch (method) {
    case 'initialize': {
      res.setHeader('Mcp-Session-Id', randomUUID());
      const { protocolVersion } = params;
      return result({ protocolVersion, capabilities, serverInfo: { name: 'small', version: '1' } });
    }
    case 'server/discover':
      return result({ resultType: 'complete', supportedVersions: [MODERN], capabilities });
    case 'tools/list':
      return void setTimeout(
        () => result({ ...(isModern && { resultType: 'complete' }), tools }),
        Number(delay),
      );
    case 'tools/call': {
      const content = [{ type: 'text', text: params.arguments.text }];
      return result({ ...(isModern && { resultType: 'complete' }), content });
    }
    default:
      refuse(res, id, method);
  }
}

function refuse(res, id, method) {
  const error = { code: -32601, message: `Method not found: ${method}` };
  sendJson(res, { jsonrpc: '2.0', id, error });
}

function sendJson(res, message) {
  const body = JSON.stringify(message);
  const length = String(Buffer.byteLength(body));
  res.writeHead(200, ['Content-Type', 'application/json', 'Content-Length', length]);
  res.end(body);
}
process.once('SIGTERM', () => process.exit());
