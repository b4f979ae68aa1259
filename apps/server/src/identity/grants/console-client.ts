/**
 * The console as a client of the gateway. No request can authenticate as it: the id of every other client is a UUID, an
 * id with a prefix of ours, or a URL.
 */
export const CONSOLE_CLIENT = { id: 'console', name: 'The console' } as const;
