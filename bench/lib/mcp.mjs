import { requestBytes } from './http-client.mjs';

const LEGACY = '2025-11-25';
const MODERN = '2026-07-28';
const ACCEPT = 'Accept: application/json, text/event-stream';
const META = `"_meta":{"io.modelcontextprotocol/protocolVersion":"${MODERN}","io.modelcontextprotocol/clientCapabilities":{}}`;

/** About 200 bytes, as the arguments of an ordinary call. */
const FILLER = 'The quick brown fox jumps over the lazy dog. '.repeat(4);

/** The payload of the cells about payloads. JSON escapes nothing in it. */
export const MEBIBYTE = 'abcdefghijklmnopqrstuvwxyz0123456789_-'
  .repeat(27_595)
  .slice(0, 1024 * 1024);

/** The same size in some 24,000 small objects, of which a scanner sees every byte. */
export const ROWS = JSON.stringify(
  Array.from({ length: 23_800 }, (_, index) => ({ id: index, name: `row ${index}`, done: false })),
);

const DESCRIPTION = 'Reads rows, filters them and returns what is left. '.repeat(27);
const entryOf = (index) =>
  `{"name":"tool-${index % 2}-${index}","description":"${DESCRIPTION}","inputSchema":{"type":"object"}}`;

/** 2,000 tools in 2.8 MB. */
const TOOLS = Array.from({ length: 2_000 }, (_, index) => entryOf(index));

/** The body of a response with the tools, or with every other one. */
export function toolsBody(id, isHalf) {
  const tools = isHalf ? TOOLS.filter((_, index) => index % 2 === 0) : TOOLS;
  return `{"jsonrpc":"2.0","id":${id},"result":{"tools":[${tools.join(',')}]}}`;
}

/** Rules that allow half of the tools, and those of the other calls. */
export const HALF = { tools: { allow: ['echo*', 'tool-0-*'] } };

let lastId = 0;

/** `tools/call` of the upstream's `echo`: the request, and the response body to expect. */
export function echoCall(endpoint, sessionId, tool = 'echo') {
  lastId += 1;
  const text = `${lastId} ${FILLER}`;
  return {
    bytes: legacyPost(endpoint, sessionId, callBody(lastId, tool, `"text":"${text}"`)),
    expected: resultBody(lastId, text),
  };
}

/** The same call from a client of 2026-07-28: no session, mirrored headers. */
export function modernEchoCall({ path, token }, _sessionId, tool = 'echo') {
  lastId += 1;
  const text = `${lastId} ${FILLER}`;
  const headers = [
    `Authorization: Bearer ${token}`,
    ACCEPT,
    `MCP-Protocol-Version: ${MODERN}`,
    'Mcp-Method: tools/call',
    `Mcp-Name: ${tool}`,
  ];
  const body = `{"jsonrpc":"2.0","id":${lastId},"method":"tools/call","params":{"name":"${tool}","arguments":{"text":"${text}"},${META}}}`;
  return { bytes: requestBytes('POST', path, headers, body), expected: resultBody(lastId, text) };
}

/** A call with a result of 1 MiB. */
export function blobCall(endpoint, sessionId) {
  lastId += 1;
  return {
    bytes: legacyPost(endpoint, sessionId, callBody(lastId, 'blob', '')),
    expected: resultBody(lastId, MEBIBYTE),
  };
}

/** A call with an argument of 1 MiB. The upstream responds `intact` if it received every byte. */
export function swallowCall(endpoint, sessionId) {
  lastId += 1;
  return {
    bytes: legacyPost(endpoint, sessionId, callBody(lastId, 'swallow', `"text":"${MEBIBYTE}"`)),
    expected: resultBody(lastId, 'intact'),
  };
}

/** The same with {@link ROWS}. As most clients write it, the id comes last. */
export function swallowRowsCall(endpoint, sessionId) {
  lastId += 1;
  const params = `{"name":"swallow-rows","arguments":{"rows":${ROWS}}}`;
  const body = `{"method":"tools/call","params":${params},"jsonrpc":"2.0","id":${lastId}}`;
  return { bytes: legacyPost(endpoint, sessionId, body), expected: resultBody(lastId, 'intact') };
}

/** `tools/list`. @param endpoint `isHalf`, if rules leave half of the tools */
export function listCall(endpoint, sessionId) {
  lastId += 1;
  const body = `{"jsonrpc":"2.0","id":${lastId},"method":"tools/list"}`;
  const expected = toolsBody(lastId, endpoint.isHalf);
  return { bytes: legacyPost(endpoint, sessionId, body), expected };
}

export function initializeBytes({ path, token }) {
  const body = `{"jsonrpc":"2.0","id":"init","method":"initialize","params":{"protocolVersion":"${LEGACY}","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}`;
  return requestBytes('POST', path, [`Authorization: Bearer ${token}`, ACCEPT], body);
}

export function initializedBytes(endpoint, sessionId) {
  const body = '{"jsonrpc":"2.0","method":"notifications/initialized"}';
  return legacyPost(endpoint, sessionId, body);
}

export function deleteBytes({ path, token }, sessionId) {
  return requestBytes('DELETE', path, sessionHeaders(token, sessionId));
}

export function streamBytes({ path, token }, sessionId) {
  const headers = [...sessionHeaders(token, sessionId), 'Accept: text/event-stream'];
  return requestBytes('GET', path, headers);
}

export function eventsBytes(endpoint, sessionId) {
  return legacyPost(endpoint, sessionId, callBody('"events"', 'events', ''));
}

/** @throws unless the response is byte for byte the expected one. */
export function check({ status, body }, expected) {
  if (status === 200 && body.length === expected.length && body.latin1Slice() === expected) return;
  const begin = body.subarray(0, 300).toString();
  throw new Error(`Wrong response: ${status} ${begin}\nexpected: ${expected.slice(0, 300)}`);
}

/** @throws unless the result has the text of the expected one, whatever else it has. */
export function checkText({ status, body }, expected) {
  const textOf = (json) => JSON.parse(json).result?.content[0].text;
  const json = body.subarray(body.indexOf('{')).toString();
  if (status === 200 && textOf(json) === textOf(expected)) return;
  throw new Error(`Wrong response: ${status} ${json.slice(0, 300)}`);
}

/** `tools/list`, of the servers in `targets/servers.mjs`. */
export function smallListCall(endpoint, sessionId) {
  lastId += 1;
  return legacyPost(endpoint, sessionId, `{"jsonrpc":"2.0","id":${lastId},"method":"tools/list"}`);
}

function legacyPost({ path, token }, sessionId, body) {
  return requestBytes('POST', path, [...sessionHeaders(token, sessionId), ACCEPT], body);
}

function sessionHeaders(token, sessionId) {
  return [
    `Authorization: Bearer ${token}`,
    `Mcp-Session-Id: ${sessionId}`,
    `MCP-Protocol-Version: ${LEGACY}`,
  ];
}

function callBody(id, tool, args) {
  return `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"${tool}","arguments":{${args}}}}`;
}

/** The body that the upstream sends. */
export function resultBody(id, text) {
  return `{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text","text":"${text}"}]}}`;
}
