import { textOf } from '../json/keys.ts';
import { edited, membersChanged } from './edits.ts';
import { EventMessages } from './event-messages.ts';
import { memberOf, placeOf } from './members.ts';
import { type ReadMessage, rawOf } from './message-reader.ts';
import { RESERVED } from './places.ts';

const UPDATE = placeOf(['method'], {
  params: placeOf(['uri'], { _meta: placeOf([], {}, RESERVED) }),
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

  #take(message: ReadMessage): void {
    const { bytes, object } = message;
    if (rawOf(message, object, 'method') !== METHOD) return;
    const params = memberOf(object, 'params')?.object;
    const at = memberOf(params, 'uri')?.value;
    const uri = at && textOf(bytes, at.start, at.end, MAX_URI);
    if (typeof uri !== 'string' || !this.#isPassed(uri)) return;
    const meta = memberOf(params, '_meta')?.object;
    this.#found = edited(bytes, meta === undefined ? [] : membersChanged(meta, meta.members));
  }
}
