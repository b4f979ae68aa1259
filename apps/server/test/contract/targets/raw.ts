import type { Answer, Call, Service } from './target.ts';

/** Plain `fetch`, which can express every call. */
export function rawClient({ baseUrl, fetch }: Service) {
  return async ({ method, path, token, body, raw, headers }: Call): Promise<Answer> => {
    const text = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const response = await fetch(baseUrl + path, {
      method,
      headers: {
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(text === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(text === undefined ? {} : { body: text }),
    });
    const answer = await response.text();
    const isText = response.headers.get('content-type')?.startsWith('text/') ?? false;
    const parsed = () => (answer === '' ? undefined : JSON.parse(answer));
    return {
      status: response.status,
      headers: response.headers,
      body: isText ? answer : parsed(),
    };
  };
}
