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
  added: [{ name: 'cdn-loop', sentence: 'A call that comes back is recognized by it.' }],
  replaced: [
    {
      name: 'mcp-session-id',
      sentence: 'The server gets the id that it issued; yours belongs to the gateway.',
    },
  ],
  removed: [
    { name: 'authorization', sentence: 'The token is for the gateway alone.' },
    { name: 'cookie', sentence: 'The gateway neither reads cookies nor passes them on.' },
    { name: 'origin', sentence: 'The server does not learn which page or client asks.' },
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
    { name: 'x-request-id', sentence: 'Names the call in the logs of this Gatehouse.' },
    { name: 'x-content-type-options', sentence: 'No browser guesses what a server sends.' },
    {
      name: 'content-security-policy',
      sentence: 'Nothing that a server sends acts as a page here.',
    },
    { name: 'cache-control', sentence: 'Where the server says nothing: no-store.' },
    { name: 'x-accel-buffering', sentence: 'With an event stream: no proxy may hold it back.' },
  ],
  replaced: [
    {
      name: 'mcp-session-id',
      sentence: 'You get an id of the gateway; that of the server stays here.',
    },
  ],
  removed: [
    { name: 'set-cookie', sentence: 'A server sets no cookie at this address.' },
    { name: 'www-authenticate', sentence: 'A client must not sign in elsewhere.' },
    { name: 'location', sentence: 'Redirects are not followed, and do not pass.' },
    { name: 'access-control-allow-origin', sentence: 'Which pages may call is decided here.' },
  ],
};

/** What the gateway adds to a call and its response, what it replaces, and what it removes. */
export const gatewayChanges = {
  request,
  response,
  /** Beyond this the bodies pass byte by byte, with all that `_meta` holds. */
  bodies: [
    { name: 'lists', sentence: 'Rules about names cut what they do not allow.' },
    { name: 'event streams', sentence: 'Comments between events keep a silent one open.' },
  ],
} satisfies Readonly<Record<string, unknown>>;

/** Whether a header of the caller goes to the server, or one of the server to the caller. */
export function isPassedHeader(direction: 'request' | 'response', name: string): boolean {
  const { passed, replaced } = gatewayChanges[direction];
  const lower = name.toLowerCase();
  if (replaced.some((change) => change.name === lower)) return false;
  return passed.includes(lower) || lower.startsWith('mcp-');
}
