import { isJsonObject } from '@gatehouse/contract';
import { createMessageReader } from '../mcp/client/response-reader.ts';
import { MAX_AT_ONCE } from '../mcp/json/parse.ts';
import { messageIdsOf, type RequestBody } from './request-body.ts';

/**
 * The responses on an event stream, as far as it has passed. What passes is kept until someone asks, a few times a second:
 * most streams end before that, and cost nothing. A stream is read no further once more than {@link MAX_AT_ONCE} bytes are
 * kept, or are one event.
 */
export class PassedAnswers {
  #unread: Buffer[] | undefined = [];
  /** Bytes since the last event that was read. */
  #size = 0;
  /** The ids of the requests without a response. */
  #awaited: Set<string> | undefined;
  #read: ReturnType<typeof createMessageReader> | undefined;

  add(chunk: Buffer): void {
    this.#size += chunk.length;
    if (this.#size > MAX_AT_ONCE) this.#unread = undefined;
    else this.#unread?.push(chunk);
  }

  /** Whether the last of the requests in the body has got its response since the last time. */
  isComplete(body: RequestBody): boolean {
    const unread = this.#unread;
    if (unread === undefined || unread.length === 0) return false;
    this.#unread = [];
    this.#awaited ??= requestIdsOf(body);
    this.#read ??= createMessageReader();
    let isAnswered = false;
    for (const chunk of unread) {
      const messages = this.#read(chunk);
      if (messages.length > 0) this.#size = 0;
      for (const id of messages.flatMap(responseIdsOf)) {
        if (this.#awaited.delete(id)) isAnswered = true;
      }
    }
    return isAnswered && this.#awaited.size === 0;
  }
}

function requestIdsOf(body: RequestBody): Set<string> {
  const ids = messageIdsOf(body);
  if (ids?.kind === 'request') return new Set([normalized(ids.id)]);
  return new Set(ids?.kind === 'batch' ? ids.ids.map(normalized) : []);
}

/** The same id can be written in several ways. @param id raw JSON */
function normalized(id: string): string {
  return JSON.stringify(JSON.parse(id));
}

/** @param message of an event, or a batch */
function responseIdsOf(message: unknown): string[] {
  return [message]
    .flat()
    .flatMap((each) =>
      isJsonObject(each) && ('result' in each || 'error' in each)
        ? [JSON.stringify(each.id ?? null)]
        : [],
    );
}
