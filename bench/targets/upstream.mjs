// A raw MCP server: node upstream.mjs <port> <bearer>. It responds with 401 without that bearer token.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { MEBIBYTE, ROWS, resultBody, toolsBody } from '../lib/mcp.mjs';

const EVENTS = 5;
const EVENT_EVERY = 40;
const [port, bearer] = process.argv.slice(2);
const authorization = `Bearer ${bearer}`;
const counts = { authorized: 0, refused: 0 };

const server = createServer((req, res) => {
  if (req.url === '/counts') return sendJson(res, JSON.stringify(counts));
  if (req.headers.authorization !== authorization) {
    counts.refused += 1;
    res.writeHead(401).end();
    return;
  }
  counts.authorized += 1;
  if (req.method === 'GET') return openStream(res);
  if (req.method === 'DELETE') return res.writeHead(204).end();
  const chunks = [];
  req.on('data', (chunk) => chunks.push(chunk));
  req.on('end', () =>
    respond(res, JSON.parse(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks))),
  );
});
server.keepAliveTimeout = 0;
server.listen(Number(port), '127.0.0.1');

function respond(res, { id, method, params }) {
  if (method === 'initialize') {
    const result = {
      protocolVersion: params.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'upstream', version: '1' },
    };
    const body = JSON.stringify({ jsonrpc: '2.0', id, result });
    return sendJson(res, body, ['Mcp-Session-Id', randomUUID()]);
  }
  if (id === undefined) return res.writeHead(202).end();
  if (method === 'server/discover') {
    const result = {
      resultType: 'complete',
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: {} },
    };
    return sendJson(res, JSON.stringify({ jsonrpc: '2.0', id, result }));
  }
  if (method === 'tools/list') return sendJson(res, toolsBody(id, false));
  call(res, id, params);
}

function call(res, id, { name, arguments: args }) {
  switch (name) {
    case 'echo':
      return sendJson(res, resultBody(id, args.text));
    case 'echo-sse':
      return openStream(res).end(`data: ${resultBody(id, args.text)}\n\n`);
    case 'blob':
      return sendJson(res, resultBody(id, MEBIBYTE));
    case 'swallow-rows':
      return sendJson(
        res,
        resultBody(id, JSON.stringify(args.rows) === ROWS ? 'intact' : 'broken'),
      );
    case 'swallow':
      return sendJson(res, resultBody(id, args.text === MEBIBYTE ? 'intact' : 'broken'));
    case 'events':
      return sendEvents(res, EVENTS);
  }
}

/** Each event contains the time at which it was sent. The client has the same clock and computes the delay. */
function sendEvents(res, count) {
  openStream(res);
  const send = () => {
    res.write(`data: {"sentAt":"${process.hrtime.bigint()}"}\n\n`);
    count -= 1;
    if (count === 0) return res.end();
    setTimeout(send, EVENT_EVERY);
  };
  send();
}

function openStream(res) {
  res.writeHead(200, ['Content-Type', 'text/event-stream', 'Cache-Control', 'no-cache']);
  res.flushHeaders();
  return res;
}

function sendJson(res, body, headers = []) {
  const length = String(Buffer.byteLength(body));
  res.writeHead(200, ['Content-Type', 'application/json', 'Content-Length', length, ...headers]);
  res.end(body);
}
process.once('SIGTERM', () => process.exit());
