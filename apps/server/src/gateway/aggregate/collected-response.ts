import { createRpcResponseReader, type RpcId } from '../../mcp/client/response-reader.ts';
import { ProblemError } from '../../platform/problem-error.ts';
import { brokenOff } from '../problems.ts';
import {
  type Head,
  headerOf,
  mediaOf,
  NO_HEAD,
  type UpstreamFailure,
  UpstreamResponse,
} from './upstream-response.ts';

/** What an integration has answered to a request that we made. */
export type Collected =
  | { readonly kind: 'message'; readonly status: number; readonly message: Buffer }
  | UpstreamFailure;

/** Bytes of a message that is collected. */
const MAX_BYTES = 16 * 1024 * 1024;

/** The response to a request that the aggregate makes for itself: the message that it contains. */
export class CollectedResponse extends UpstreamResponse {
  readonly collected: Promise<Collected>;
  readonly #id: RpcId;
  readonly #resolve: (collected: Collected) => void;
  #head = NO_HEAD;
  #events: ReturnType<typeof createRpcResponseReader> | undefined;
  #chunks: Buffer[] = [];
  #size = 0;

  /** @param id of the request */
  constructor(id: RpcId) {
    super();
    let settle = (_collected: Collected): void => {};
    this.collected = new Promise((resolve) => {
      settle = resolve;
    });
    this.#resolve = settle;
    this.#id = id;
  }

  write(part: Buffer | string): boolean {
    const chunk = typeof part === 'string' ? Buffer.from(part) : part;
    this.#size += chunk.length;
    if (this.#size > MAX_BYTES) {
      this.fail({ kind: 'problem', problem: tooLarge() });
      this.close();
    } else if (this.#events === undefined) {
      this.#chunks.push(chunk);
    } else if (this.#events.read(chunk, { 'content-type': 'text/event-stream' })) {
      // The stream may go on; the answer is here.
      this.isAnswered = true;
      this.finish();
      this.close();
    }
    return true;
  }

  protected begin(head: Head): void {
    this.#head = head;
    if (mediaOf(head) === 'events') {
      this.#events = createRpcResponseReader(this.#id);
    }
  }

  protected finish(): void {
    const { status } = this.#head;
    const isAnswer = status < 300 || (status < 500 && mediaOf(this.#head) === 'json');
    if (!isAnswer || status === 401 || status < 200) {
      this.fail({ kind: 'status', status, retryAfter: headerOf(this.#head, 'retry-after') });
      return;
    }
    const isRead = this.#events === undefined || this.#events.response() !== undefined;
    const message =
      this.#events === undefined ? Buffer.concat(this.#chunks) : Buffer.from(this.#events.text());
    if (isRead) this.#resolve({ kind: 'message', status, message });
    else this.breakOff();
  }

  protected breakOff(): void {
    this.fail({ kind: 'problem', problem: brokenOff() });
  }

  protected fail(failure: UpstreamFailure): void {
    this.#chunks = [];
    this.#resolve(failure);
  }
}

function tooLarge(): ProblemError {
  return new ProblemError(
    'upstream_response_too_large',
    'The response of the integration is larger than a list may be.',
  );
}
