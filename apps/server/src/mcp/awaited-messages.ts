import { isSameId } from './ids.ts';
import type { MessageHead } from './message-head.ts';

export type ResponseKind = 'result' | 'error';

/** Why a message of a server is not passed on. */
export type DroppedMessage = 'response' | 'progress' | 'unreadable';

export interface Awaited {
  /**
   * The ids of the requests that are being answered, raw JSON. Undefined where nobody knows them: a client goes on with
   * the stream of a request.
   */
  readonly ids: readonly string[] | undefined;
  /** Whether a server may refuse what was sent by an error without an id. */
  readonly mayBeRefused: boolean;
  /** Whether a request with this progress token is being answered. @param token raw JSON */
  isAwaitedToken(token: string): boolean;
  onDropped(message: DroppedMessage): void;
}

/** The id of errors for requests that the official Python server could not take; other servers use null, or leave it out. */
const SERVER_ERROR = '"server-error"';

const WITHOUT_ID: ReadonlySet<string | undefined> = new Set([undefined, 'null', SERVER_ERROR]);

/** Decides which messages of a server reach the client of one exchange. */
export class AwaitedMessages {
  readonly #awaited: Awaited;
  /** Of the responses that have not come. */
  #ids: readonly string[] | undefined;
  #mayBeRefused: boolean;
  #responseKind: ResponseKind | undefined;

  constructor(awaited: Awaited) {
    this.#awaited = awaited;
    this.#ids = awaited.ids;
    this.#mayBeRefused = awaited.mayBeRefused;
  }

  /** A response has passed that its client finds by the id of the request, or takes for an error of every request. */
  get responseKind(): ResponseKind | undefined {
    return this.#responseKind;
  }

  /** Whether a message is passed on; each response is once. */
  pass(message: MessageHead): boolean {
    const reason = this.#reasonToDrop(message);
    if (reason !== undefined) this.#awaited.onDropped(reason);
    return reason === undefined;
  }

  /** Whether a batch is passed on. Its responses answer nothing: MCP has no batches since 2025-06-18. */
  passBatch(messages: readonly MessageHead[]): boolean {
    const [ids, mayBeRefused, kind] = [this.#ids, this.#mayBeRefused, this.#responseKind];
    const isPassed = messages.filter((message) => !this.pass(message)).length === 0;
    this.#responseKind = kind;
    if (isPassed) return true;
    // Those beside the dropped ones have not come either.
    this.#ids = ids;
    this.#mayBeRefused = mayBeRefused;
    return false;
  }

  /** Notes something that cannot be read, and is not passed on. */
  noteUnreadable(): void {
    this.#awaited.onDropped('unreadable');
  }

  #reasonToDrop(message: MessageHead): DroppedMessage | undefined {
    const { method, progressToken } = message;
    if (message.isAmbiguous || method === null) return 'unreadable';
    if (method === undefined) return this.#takes(message) ? undefined : 'response';
    if (method !== 'notifications/progress') return undefined;
    const isAwaited = progressToken !== undefined && this.#awaited.isAwaitedToken(progressToken);
    return isAwaited ? undefined : 'progress';
  }

  /** A response that is awaited is awaited no more. */
  #takes(response: MessageHead): boolean {
    const ids = this.#ids;
    if (ids === undefined) return true;
    const { id } = response;
    const at = id === undefined ? -1 : ids.findIndex((own) => isSameId(own, id));
    if (at !== -1) {
      this.#ids = ids.toSpliced(at, 1);
      if (response.isResponse) this.#responseKind ??= kindOf(response);
      return true;
    }
    const isRefusal = WITHOUT_ID.has(id) && response.hasError && !response.hasResult;
    if (!isRefusal || !this.#mayBeRefused) return false;
    this.#mayBeRefused = false;
    if (response.isResponse && id !== SERVER_ERROR) this.#responseKind ??= kindOf(response);
    return true;
  }
}

/** Of a message with both, clients take the one or the other. */
function kindOf({ hasError }: MessageHead): ResponseKind {
  return hasError ? 'error' : 'result';
}
