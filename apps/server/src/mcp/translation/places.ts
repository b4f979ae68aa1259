import { type Place, placeOf, wholePlace } from './members.ts';

/** What keys of the protocol in `_meta` begin with. */
export const RESERVED = 'io.modelcontextprotocol/';

/** The top of a request. */
export const REQUEST: Place = placeOf(['id', 'method'], {
  params: placeOf(['arguments', 'inputResponses', 'requestState'], {
    _meta: placeOf(['progressToken'], {}, RESERVED),
  }),
});

const INPUT_REQUEST = placeOf(['method', 'params']);

/** The top of a message from a server: a response, a notification or a request. */
export const FROM_SERVER: Place = placeOf(['id', 'method'], {
  params: placeOf(['progressToken', 'level']),
  result: placeOf(['resultType', 'ttlMs', 'cacheScope', 'requestState'], {
    _meta: placeOf([], {}, RESERVED),
    inputRequests: wholePlace(INPUT_REQUEST),
  }),
  error: placeOf(['code', 'message', 'data']),
});

/** The top of a client's response. */
export const FROM_CLIENT: Place = placeOf(['id', 'result', 'error']);
