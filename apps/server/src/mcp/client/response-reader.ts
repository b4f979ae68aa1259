import type { IncomingHttpHeaders } from 'node:http';
import { isJsonObject, type JsonObject } from '@gatehouse/contract';
import { isEventStream } from '../media-type.ts';
import { dataOf, EventReader, MAX_EVENT } from '../sse/event-reader.ts';

/** A JSON-RPC response. Only the code of an error is kept. */
export type RpcResponse = { readonly result: JsonObject } | { readonly errorCode: number };

/** The id of a request, parsed. */
export type RpcId = string | number | null;

/** Reads a body until it contains the complete response to one JSON-RPC request. */
export interface RpcResponseReader {
  /** Reads a chunk. True when the response is complete. */
  read(chunk: Buffer, headers: IncomingHttpHeaders): boolean;
  /** The response, once the body has ended or `read` has returned true. */
  response(): RpcResponse | undefined;
  /** The message that contains it. */
  text(): string;
}

/** Reads the whole of a JSON body, and an SSE stream up to the response to message `id`. */
export function createRpcResponseReader(id: RpcId): RpcResponseReader {
  const decoder = new TextDecoder();
  const readData = createDataReader();
  let text = '';
  let found: RpcResponse | undefined;

  return {
    read(chunk, headers) {
      if (!isEventStream(headers['content-type'])) {
        text += decoder.decode(chunk, { stream: true });
        return false;
      }
      for (const data of readData(chunk)) {
        if (found !== undefined) break;
        found = parseResponse(data, id);
        if (found !== undefined) text = data;
      }
      return found !== undefined;
    },
    response: () => found ?? parseResponse(text, id),
    text: () => text,
  };
}

/** Returns the message of each event that a chunk of an SSE stream completes; undefined for one that is not JSON. */
export function createMessageReader(): (chunk: Buffer) => unknown[] {
  const read = createDataReader();
  return (chunk) => read(chunk).map(parseJson);
}

/** Returns the data of each event that a chunk of an SSE stream completes. */
function createDataReader(): (chunk: Buffer) => string[] {
  const events = new EventReader(MAX_EVENT);
  return (chunk) => events.feed(chunk).flatMap((event) => dataOf(event)?.toString() ?? []);
}

/** Undefined for a text that is no response to the request with this id. */
function parseResponse(text: string, id: RpcId): RpcResponse | undefined {
  const message = parseJson(text);
  if (!isJsonObject(message) || message.jsonrpc !== '2.0') return undefined;
  const { result, error } = message;
  if (isJsonObject(result)) return message.id === id ? { result } : undefined;
  // The error for a request that the server could not parse has no id.
  if (!isJsonObject(error) || typeof error.code !== 'number') return undefined;
  return message.id === id || (message.id ?? null) === null ? { errorCode: error.code } : undefined;
}

/** Recognizes the response to one request among messages that come as bytes. */
export class ResponseMatcher {
  readonly #id: RpcId;
  readonly #isAscii: boolean;

  /** @param id raw JSON */
  constructor(id: string) {
    this.#id = JSON.parse(id);
    this.#isAscii = typeof this.#id !== 'string' || /^[\x20-\x7e]*$/.test(this.#id);
  }

  /**
   * Undefined for a message that is no response to the request.
   *
   * @param text the bytes as latin1: JSON in UTF-8 has the same structure in it, and an id in ASCII reads the same
   */
  match(text: string): RpcResponse | undefined {
    const decoded = this.#isAscii ? text : Buffer.from(text, 'latin1').toString();
    return parseResponse(decoded, this.#id);
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
