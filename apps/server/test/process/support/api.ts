import type { Called, CallOptions } from '../../support/server.ts';
import { noteSecret } from './logs.ts';
import type { Witness } from './witness.ts';

/** A caller of the management API of a running server. */
export interface Api {
  call(method: string, path: string, options?: CallOptions): Promise<Called>;
  /** As {@link call}; throws unless the status is the expected one. */
  expect(status: number, method: string, path: string, options?: CallOptions): Promise<Called>;
}

export interface ApiTarget {
  readonly baseUrl: string;
  readonly bootstrapToken: string;
}

/** Fields of request and response bodies that are secrets, and those with secret values. */
const SECRETS = new Set(['clientSecret', 'invitation', 'secret', 'serverToken', 'token']);
const HOLDERS = new Set(['fields', 'tokenParams']);

/**
 * Calls as the owner unless told otherwise; a path that begins with `//` is below the origin itself.
 * Every secret that goes either way is searched for in the logs of this test file.
 */
export function createApi({ baseUrl, bootstrapToken }: ApiTarget, witness?: Witness): Api {
  const call: Api['call'] = async (method, path, options = {}) => {
    const { token = bootstrapToken, body, headers } = options;
    if (token !== null) noteSecret('a token', token);
    noteSecretsIn(body);
    const url = path.startsWith('//') ? new URL(path.slice(1), baseUrl).href : baseUrl + path;
    const response = await fetch(url, {
      method,
      headers: {
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = /^application\/.*json/.test(response.headers.get('content-type') ?? '');
    const called = {
      status: response.status,
      headers: response.headers,
      body: isJson ? JSON.parse(text) : undefined,
      text,
    };
    noteSecretsIn(called.body);
    witness?.answer(`${method} ${path} ${response.status}`, called);
    return called;
  };
  return {
    call,
    async expect(status, method, path, options) {
      const called = await call(method, path, options);
      if (called.status === status) return called;
      throw new Error(`${method} ${path} answered ${called.status}, not ${status}: ${called.text}`);
    },
  };
}

function noteSecretsIn(body: unknown, isHolder = false): void {
  if (typeof body !== 'object' || body === null) return;
  for (const [name, value] of Object.entries(body)) {
    if (typeof value !== 'string') noteSecretsIn(value, HOLDERS.has(name));
    else if (isHolder || SECRETS.has(name)) noteSecret(`a value of ${name}`, value);
  }
}
