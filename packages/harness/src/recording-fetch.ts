/** One response as the caller of `fetch` received it. */
export interface ReceivedResponse {
  readonly url: string;
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The body bytes delivered so far. */
  readonly body: Buffer;
}

/** A `fetch` that keeps every byte it delivers. */
export interface RecordingFetch {
  readonly fetch: (input: string | URL, init?: RequestInit) => Promise<Response>;
  readonly responses: readonly ReceivedResponse[];
  /** Whether `text` occurs in any received status text, header or body. */
  hasReceived(text: string): boolean;
}

/** Wraps the global `fetch`. */
export function createRecordingFetch(): RecordingFetch {
  const responses: ReceivedResponse[] = [];
  return {
    responses,
    async fetch(input, init) {
      const response = await globalThis.fetch(input, init);
      const chunks: Uint8Array[] = [];
      responses.push({
        url: response.url,
        status: response.status,
        headers: [...response.headers],
        get body() {
          return Buffer.concat(chunks);
        },
      });
      return response.body ? copyInto(chunks, response, response.body) : response;
    },
    hasReceived: (text) =>
      responses.some(
        ({ headers, body }) =>
          headers.flat().some((part) => part.includes(text)) || body.includes(text),
      ),
  };
}

function copyInto(
  chunks: Uint8Array[],
  response: Response,
  body: NonNullable<Response['body']>,
): Response {
  const recorded = body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        chunks.push(chunk);
        controller.enqueue(chunk);
      },
    }),
  );
  const { status, statusText, headers, url } = response;
  const copy = new Response(recorded, { status, statusText, headers });
  // A constructed Response has no URL, which the MCP transport needs for redirects and metadata.
  return Object.defineProperty(copy, 'url', { value: url });
}
