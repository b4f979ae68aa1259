import { Gatehouse } from '@gatehouse/sdk';
import { noteActivity } from './activity.ts';
import { createConsoleTokens } from './console-token.ts';

export const consoleTokens = createConsoleTokens({
  fetch: (url, init) => fetch(url, init),
  now: () => Date.now(),
  takeActivity: noteActivity(document),
});

let last: string | undefined;

/** The management API, as the person who is signed in. */
export const gatehouse = new Gatehouse({
  baseUrl: location.origin,
  logLevel: 'off',
  maxRetries: 1,
  // The client asks for a token at first and again after a rejection, which drops the rejected one.
  accessToken: async () => {
    if (last !== undefined) consoleTokens.drop(last);
    last = await consoleTokens.current();
    return last;
  },
  // A token is renewed before it is rejected: each request takes the one that is current.
  fetch: async (url, init) => {
    const headers = new Headers(init.headers);
    last = await consoleTokens.current();
    headers.set('authorization', `Bearer ${last}`);
    return fetch(url, { ...init, headers, credentials: 'omit' });
  },
});
