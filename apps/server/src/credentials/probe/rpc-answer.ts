import type { IncomingHttpHeaders } from 'node:http';
import { isJsonObject, type JsonObject } from '@gatehouse/contract';
import { isEventStream } from '../../mcp/event-stream.ts';

/** The JSON-RPC response found in an answer. Of an error only the code is kept. */
export type RpcResponse = { readonly result: JsonObject } | { readonly errorCode: number };

/** Collects a body until the response to one request is complete in it. */
export interface RpcReader {
  /** Takes a chunk; true when nothing further is needed. */
  read(chunk: Buffer, headers: IncomingHttpHeaders): boolean;
  /** The response, once the body has ended or `read` was true. */
  response(): RpcResponse | undefined;
}

/** Reads JSON bodies whole, and SSE streams up to the event that answers the request `id`. */
export function createRpcReader(id: number): RpcReader {
  const decoder = new TextDecoder();
  const sse = createSseReader();
  let text = '';
  let found: RpcResponse | undefined;

  return {
    read(chunk, headers) {
      const decoded = decoder.decode(chunk, { stream: true });
      if (!isEventStream(headers['content-type'])) {
        text += decoded;
        return false;
      }
      for (const data of sse(decoded)) found ??= parseResponse(data, id);
      return found !== undefined;
    },
    response: () => found ?? parseResponse(text, id),
  };
}

/** Gives the data of each event completed by the text so far (WHATWG HTML §9.2.6, data fields only). */
function createSseReader(): (text: string) => string[] {
  let unfinished: string[] = [];
  let data: string[] = [];
  return (text) => {
    unfinished.push(text);
    // A long line in many chunks is joined once, when it ends.
    if (!/[\r\n]/.test(text)) return [];
    // A CR at the very end may be the first half of CRLF.
    const lines = unfinished.join('').split(/\r\n|\n|\r(?!$)/);
    unfinished = [lines.pop() ?? ''];
    const events: string[] = [];
    for (const line of lines) {
      if (line === '') {
        if (data.length > 0) events.push(data.join('\n'));
        data = [];
      } else if (line.startsWith('data:')) data.push(line.slice(5).replace(/^ /, ''));
    }
    return events;
  };
}

function parseResponse(text: string, id: number): RpcResponse | undefined {
  const message = parseJson(text);
  if (!isJsonObject(message) || message.jsonrpc !== '2.0') return undefined;
  const { result, error } = message;
  if (isJsonObject(result)) return message.id === id ? { result } : undefined;
  // An error about a request that could not be read has no id.
  if (!isJsonObject(error) || typeof error.code !== 'number') return undefined;
  return message.id === id || (message.id ?? null) === null ? { errorCode: error.code } : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
