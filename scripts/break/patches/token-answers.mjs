import { serverTest } from '../places.mjs';

const TOKENS = 'apps/server/src/credentials/oauth/tokens';
const failsWith = (what) =>
  serverTest('credentials/oauth/token-answers.test.ts', `a token request fails > ${what}`);

export const tokenAnswersPatches = [
  {
    name: 'tokens-page-is-a-refusal',
    means: 'The page of a proxy is taken for a fault of the configuration.',
    file: `${TOKENS}/token-failure.ts`,
    search: 'body === undefined && /^\\s*</.test(text)',
    replace: 'body !== undefined && /^\\s*</.test(text)',
    test: failsWith('HTML with 403'),
  },
  {
    name: 'tokens-success-has-no-error',
    means: 'A refusal with status 200, as GitHub sends it, keeps a dead grant in use.',
    file: `${TOKENS}/token-failure.ts`,
    search: 'const error = body === undefined ? undefined : errorIn(body, isSuccess);',
    replace:
      'const error = body === undefined || isSuccess ? undefined : errorIn(body, isSuccess);',
    test: failsWith('GitHub: an error with 200'),
  },
  {
    name: 'tokens-unbounded-answer',
    means: 'A provider can fill the memory of this server.',
    file: 'apps/server/src/credentials/oauth/http.ts',
    search: 'const MAX_BYTES = 256 * 1024;',
    replace: 'const MAX_BYTES = 256 * 1024 * 1024;',
    test: failsWith('more than 256 KiB'),
  },
  {
    name: 'tokens-header-in-token',
    means: 'An access token can add headers to calls, or break them.',
    file: `${TOKENS}/read-token-response.ts`,
    search: '!isHeaderValue(accessToken)',
    replace: "accessToken === ''",
    test: failsWith('a token that is no header value'),
  },
  {
    name: 'tokens-of-another-kind',
    means: 'A token that a bare header does not prove is stored, and every call with it fails.',
    file: `${TOKENS}/read-token-response.ts`,
    search: "!UNUSABLE_TYPES.has(type?.toLowerCase() ?? '')",
    replace: "!UNUSABLE_TYPES.has(type ?? '')",
    test: failsWith('a DPoP token'),
  },
  {
    name: 'tokens-long-refresh-token',
    means: 'A refresh token of any length is stored.',
    file: `${TOKENS}/read-token-response.ts`,
    search: 'if (value.length > limits.credential) throw',
    replace: 'if (value.length > limits.credential * 9) throw',
    test: failsWith('a refresh token of more than 8 KiB'),
  },
  {
    name: 'tokens-error-named-like-a-method',
    means: 'An error that a provider chooses reads what is no error code of ours.',
    file: 'apps/server/src/credentials/oauth/error-codes.ts',
    search: 'Object.hasOwn(codes, error)',
    replace: 'error in codes',
    test: failsWith('an error named like a method'),
  },
  {
    name: 'tokens-busy-is-final',
    means: 'A provider that takes no more requests for a while is taken for one that refuses.',
    file: 'apps/server/src/credentials/oauth/trouble.ts',
    search: "if (status === 429) return 'rate_limited';",
    replace: "if (status === 509) return 'rate_limited';",
    test: failsWith('an unknown error with 429'),
  },
];
