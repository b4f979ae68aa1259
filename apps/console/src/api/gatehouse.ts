import { Gatehouse } from '@gatehouse/sdk';
import { noteActivity } from './activity.ts';
import { type ConsoleTokens, createConsoleTokens } from './console-token.ts';
import { createOnePerson } from './one-person.ts';
import { send } from './refusal.ts';

export const onePerson = createOnePerson();

const page = {
  fetch: send,
  now: () => Date.now(),
  takeActivity: noteActivity(document),
  person: onePerson,
};

export const consoleTokens = createConsoleTokens(page);

let last: string | undefined;

/** Tokens of the person who is signed in, for one gateway URL. The management API finds out when that ends. */
export function gatewayTokens(resource: string): Pick<ConsoleTokens, 'current' | 'drop'> {
  const tokens = createConsoleTokens({ ...page, resource });
  tokens.onSignedOut(() => {
    if (last !== undefined) consoleTokens.drop(last);
  });
  return {
    drop: tokens.drop,
    current() {
      tokens.resume();
      return tokens.current();
    },
  };
}

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
