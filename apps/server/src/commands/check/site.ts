import { createEgress } from '../../egress/egress.ts';
import { EgressError } from '../../egress/errors.ts';
import type { EgressRequest } from '../../egress/request.ts';

/** A response of the service, as a client gets it. */
export interface SiteResponse {
  readonly status: number;
  header(name: string): string | undefined;
  /** The body as JSON; undefined if it is not JSON. */
  readonly json: Readonly<Record<string, unknown>> | undefined;
  /** Milliseconds that the service's clock is ahead of ours; undefined if it sends no date. */
  readonly clockDifference: number | undefined;
}

/** The service at its public URL. */
export interface Site {
  readonly origin: string;
  /** @returns why there was no response, as a sentence */
  request(path: string, request?: SiteRequest): Promise<SiteResponse | string>;
  close(): Promise<void>;
}

export interface SiteRequest {
  readonly method?: EgressRequest['method'];
  readonly token?: string | undefined;
  readonly body?: string;
  /** Milliseconds, default 10,000. */
  readonly timeout?: number;
  /** Called with each piece of the body, as it comes. */
  readonly onPiece?: () => void;
}

/** The OpenAPI document is the longest. */
const MAX_BYTES = 8 * 1024 * 1024;
const TIMEOUT = 10_000;

/** The operator names the URL, so it may be in a private network. */
const ANYWHERE = ['0.0.0.0/0', '::/0'];

export function openSite(origin: string): Site {
  const egress = createEgress({ allowedNetworks: ANYWHERE, publicUrl: origin });
  return {
    origin,
    async request(path, { method = 'GET', token, body, timeout = TIMEOUT, onPiece } = {}) {
      const headers: (readonly [string, string])[] = [
        ['accept', 'application/json'],
        ...(body === undefined ? [] : [['content-type', 'application/json'] as const]),
        ...(token === undefined ? [] : [['authorization', `Bearer ${token}`] as const]),
      ];
      const sentAt = Date.now();
      try {
        const response = await egress.request(origin + path, {
          method,
          headers,
          ...(body === undefined ? {} : { body }),
          maxBytes: MAX_BYTES,
          until: () => {
            onPiece?.();
            return false;
          },
          signal: AbortSignal.timeout(timeout),
          sender: { organizationId: '', userId: '', credential: [] },
        });
        return toResponse(response, (sentAt + Date.now()) / 2);
      } catch (error) {
        if (!(error instanceof EgressError)) throw error;
        return error.reason === 'other' ? error.message : `${error.message} (${error.reason})`;
      }
    },
    close: () => egress.close(),
  };
}

function toResponse(
  { status, headers, body }: Awaited<ReturnType<ReturnType<typeof createEgress>['request']>>,
  middle: number,
): SiteResponse {
  const date = Date.parse(headers.date ?? '');
  return {
    status,
    header: (name) => headers[name]?.toString(),
    json: jsonOf(body),
    // The header has whole seconds: on average it is half a second behind.
    clockDifference: Number.isNaN(date) ? undefined : Math.round(date + 500 - middle),
  };
}

function jsonOf(body: Buffer): SiteResponse['json'] {
  try {
    const parsed: unknown = JSON.parse(body.toString());
    return typeof parsed === 'object' && parsed !== null
      ? (parsed as Readonly<Record<string, unknown>>)
      : undefined;
  } catch {
    return undefined;
  }
}
