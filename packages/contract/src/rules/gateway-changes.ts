/** What the gateway does to a header, or to something in a body, and why. */
export interface GatewayChange {
  /** In lower case. */
  readonly name: string;
  readonly sentence: string;
}

/** What happens to the headers of one direction. */
interface HeaderChanges {
  /** Those that go on as they are, besides `mcp-*`. Every other header is removed. */
  readonly passed: readonly string[];
  readonly added: readonly GatewayChange[];
  readonly replaced: readonly GatewayChange[];
  /** The ones that people ask about. */
  readonly removed: readonly GatewayChange[];
}

const request: HeaderChanges = {
  passed: [
    'accept',
    'accept-encoding',
    'accept-language',
    'content-type',
    'content-encoding',
    'last-event-id',
    'user-agent',
    'traceparent',
    'tracestate',
  ],
  added: [{ name: 'cdn-loop', sentence: 'Shows the gateway when a call loops back to it.' }],
  replaced: [
    {
      name: 'mcp-session-id',
      sentence: 'The server gets the id that it issued; yours is the gateway’s own.',
    },
  ],
  removed: [
    { name: 'authorization', sentence: 'The token is for the gateway alone.' },
    { name: 'cookie', sentence: 'The gateway neither reads cookies nor passes them on.' },
    { name: 'origin', sentence: 'The server does not learn which page or client is calling.' },
  ],
};

const response: HeaderChanges = {
  passed: [
    'content-type',
    'content-length',
    'content-encoding',
    'content-language',
    'content-disposition',
    'cache-control',
    'expires',
    'retry-after',
    // With 405 (RFC 9110 section 15.5.6).
    'allow',
    'x-accel-buffering',
  ],
  added: [
    { name: 'x-request-id', sentence: 'Identifies the call in Gatehouse’s logs.' },
    {
      name: 'x-content-type-options',
      sentence: 'Keeps browsers from guessing the type of a response.',
    },
    {
      name: 'content-security-policy',
      sentence: 'Keeps a response from acting as a page of this site.',
    },
    { name: 'cache-control', sentence: 'no-store, unless the server sends its own.' },
    { name: 'x-accel-buffering', sentence: 'Keeps proxies from holding back an event stream.' },
  ],
  replaced: [
    {
      name: 'mcp-session-id',
      sentence: 'You get the gateway’s id; the server’s own stays here.',
    },
  ],
  removed: [
    { name: 'set-cookie', sentence: 'A server must not set cookies for this address.' },
    { name: 'www-authenticate', sentence: 'A server must not send clients to sign in elsewhere.' },
    { name: 'location', sentence: 'Redirects are neither followed nor passed on.' },
    { name: 'access-control-allow-origin', sentence: 'Gatehouse decides which pages may call.' },
  ],
};

/** What the gateway adds to a call and its response, what it replaces, and what it removes. */
export const gatewayChanges = {
  request,
  response,
  /** Beyond this the bodies pass byte by byte, with all that `_meta` holds. */
  bodies: [
    { name: 'lists', sentence: 'Entries that the rules do not allow are left out.' },
    { name: 'event streams', sentence: 'Comments are added to keep an idle stream open.' },
  ],
} satisfies Readonly<Record<string, unknown>>;

/** Whether a header of the caller goes to the server, or one of the server to the caller. */
export function isPassedHeader(direction: 'request' | 'response', name: string): boolean {
  const { passed, replaced } = gatewayChanges[direction];
  const lower = name.toLowerCase();
  if (replaced.some((change) => change.name === lower)) return false;
  return passed.includes(lower) || lower.startsWith('mcp-');
}
