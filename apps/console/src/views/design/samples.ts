import { ApiError } from '@gatehouse/sdk';

/** What people name things when nothing stops them. */
export const LONG =
  'A name that goes on and on: the staging copy of the old issue tracker of the second team, read only until March';

export const TEXT = Array.from({ length: 40 }, (_, line) => `line ${line + 1} of a text`).join(
  '\n',
);

function problemOf(status: 404 | 503, detail: string): ApiError {
  const code = status === 404 ? 'not_found' : 'database_unavailable';
  return new ApiError({
    status,
    headers: new Headers(),
    requestId: 'req-of-the-design-view',
    problem: {
      type: `urn:gatehouse:problem:${code}`,
      title: detail,
      status,
      detail,
      code,
      requestId: 'req-of-the-design-view',
    },
  });
}

export const unavailable = problemOf(503, 'The database cannot be reached.');
export const missing = problemOf(404, 'There is no such integration.');
