import { edit, membersChanged } from '../json/edit.ts';
import { objectOf } from '../json/shape.ts';
import { EventMessages } from './event-messages.ts';
import type { ReadMessage } from './message-reader.ts';
import { RESERVED } from './shapes.ts';

const UPDATE = objectOf(['method'], {
  params: objectOf(['uri'], { _meta: objectOf([], {}, RESERVED) }),
});

const METHOD = '"notifications/resources/updated"';

/** Bytes of a URI. */
const MAX_URI = 16 * 1024;

/** Finds `notifications/resources/updated` in the events of a modern server, for a legacy client. */
export class ResourceUpdates {
  readonly #isPassed: (uri: string) => boolean;
  readonly #events: EventMessages;
  #found: Buffer | undefined;

  /** @param isPassed whether the client may learn of that resource */
  constructor(isPassed: (uri: string) => boolean) {
    this.#isPassed = isPassed;
    this.#events = new EventMessages(UPDATE, {
      message: (message) => this.#take(message),
      comment: () => {},
    });
  }

  /** @returns the message for the client, without what only the modern era has in it */
  read(event: Buffer): Buffer | undefined {
    this.#found = undefined;
    this.#events.feed(event);
    return this.#found;
  }

  #take({ bytes, object }: ReadMessage): void {
    if (object.member('method')?.raw(bytes) !== METHOD) return;
    const params = object.member('params');
    const uri = params?.member('uri')?.string(bytes, MAX_URI);
    if (typeof uri !== 'string' || !this.#isPassed(uri)) return;
    const meta = params?.member('_meta');
    this.#found = edit(bytes, meta === undefined ? [] : membersChanged(meta, meta.members));
  }
}
