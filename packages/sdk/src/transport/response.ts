import { InvalidResponseError } from '../errors/errors.ts';

/** A response with its body read. */
export interface RawResponse {
  /** What was sent, without ids: `GET https://gatehouse.example.com/api/v1/integrations/:id`. */
  readonly request: string;
  readonly method: string;
  /** Without its query. */
  readonly url: string;
  readonly status: number;
  readonly statusText: string;
  readonly headers: Headers;
  readonly requestId: string | undefined;
  /** Redirects are not followed: a POST would become a GET, and the token could go elsewhere. */
  readonly redirected: boolean;
  readonly text: string;
}

/** What a response belongs to. */
export type Sent = Pick<RawResponse, 'request' | 'method' | 'url'>;

/** Reads the whole body. Rejects as `fetch` does when the connection is lost. */
export async function readResponse(sent: Sent, response: Response): Promise<RawResponse> {
  const text = await response.text();
  const { status, statusText, headers, type } = response;
  return {
    ...sent,
    status,
    statusText,
    headers,
    requestId: headers.get('x-request-id') ?? undefined,
    // Browsers hide the status of a redirect behind this type.
    redirected: type === 'opaqueredirect' || (status >= 300 && status < 400),
    text,
  };
}

/** @throws InvalidResponseError unless the body is a JSON object. */
export function parseBody(response: RawResponse): JsonObject {
  const body = parseObject(response.text);
  if (body) return body;
  throw toInvalidResponse(response);
}

/** The error for a response that no Gatehouse sends. */
export function toInvalidResponse(response: RawResponse): InvalidResponseError {
  return new InvalidResponseError(notGatehouse(response), response);
}

/** For a response that no Gatehouse sends. The body is not quoted, because it may hold a secret. */
export function notGatehouse({ request, headers }: RawResponse): string {
  const type = headers.get('content-type') ?? 'no type';
  return `${request} returned ${type}, not from a Gatehouse.`;
}

type JsonObject = Record<string, unknown>;

/** A JSON object; `undefined` for any other text. The parser's error would quote it, and it may hold a secret. */
export function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
