import { objectOf, recordOf } from '../json/shape.ts';

/** What keys of the protocol in `_meta` begin with. */
export const RESERVED = 'io.modelcontextprotocol/';

/** The top of a request. */
export const REQUEST = objectOf(['id', 'method'], {
  params: objectOf(['arguments', 'inputResponses', 'requestState'], {
    _meta: objectOf(['progressToken'], {}, RESERVED),
  }),
});

const INPUT_REQUEST = objectOf(['method', 'params']);

/** The top of a message from a server: a response, a notification or a request. */
export const FROM_SERVER = objectOf(['id', 'method'], {
  params: objectOf(['progressToken', 'level']),
  result: objectOf(['resultType', 'ttlMs', 'cacheScope', 'requestState'], {
    _meta: objectOf([], {}, RESERVED),
    inputRequests: recordOf(INPUT_REQUEST),
  }),
  error: objectOf(['code', 'message', 'data']),
});

/** The top of a client's response. */
export const FROM_CLIENT = objectOf(['id', 'result', 'error']);
