import { KnownKeys } from '../json/keys.ts';

/** An object in a message that the reader looks into. */
export interface Place {
  readonly keys: KnownKeys;
  /** The keys that may occur only once, and only in this spelling. */
  readonly once: ReadonlySet<string>;
}

/** The top of a message. */
export const MESSAGE = placeOf(['jsonrpc', 'id', 'method', 'params']);

export const PARAMS = placeOf(['name', 'uri', 'ref', 'task'], ['_meta', 'notifications']);

export const REF = placeOf(['type', 'name', 'uri']);

export const META = placeOf([], ['io.modelcontextprotocol/protocolVersion', 'progressToken']);

/** If this object or one of its keys is repeated, the URIs of both count. */
export const NOTIFICATIONS = placeOf([], ['resourceSubscriptions']);

/** The objects inside an object, by their keys. */
export const CHILDREN: ReadonlyMap<Place, ReadonlyMap<string, Place>> = new Map([
  [MESSAGE, new Map([['params', PARAMS]])],
  [
    PARAMS,
    new Map([
      ['ref', REF],
      ['_meta', META],
      ['notifications', NOTIFICATIONS],
    ]),
  ],
]);

function placeOf(once: readonly string[], others: readonly string[] = []): Place {
  return { keys: new KnownKeys([...once, ...others]), once: new Set(once) };
}
