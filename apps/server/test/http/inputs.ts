/** What a path outside the management API reads: names of its path, query and form parameters. */
interface Inputs {
  /** Of its query and form. */
  readonly fields: readonly string[];
  /** A request path; `{}` is replaced. */
  readonly url: string;
}

const CLIENT = ['client_id', 'redirect_uri', 'scope', 'resource'];
const PASSWORD = ['password', 'present', 'repeated', 'everywhere'];

/** The inputs of every path that the service registers outside the management API. */
export const INPUTS: Readonly<Record<string, Inputs>> = {
  '/healthz': { url: '/healthz', fields: ['x'] },
  '/healthz/stream': { url: '/healthz/stream', fields: ['x'] },
  '/readyz': { url: '/readyz', fields: ['x'] },
  '/metrics': { url: '/metrics', fields: ['x'] },
  '/.well-known/oauth-protected-resource': {
    url: '/.well-known/oauth-protected-resource',
    fields: ['x'],
  },
  '/.well-known/oauth-protected-resource/*resource': {
    url: '/.well-known/oauth-protected-resource/mcp/{}/{}',
    fields: ['x'],
  },
  '/.well-known/openid-configuration': {
    url: '/.well-known/openid-configuration',
    fields: ['x'],
  },
  '/.well-known/oauth-authorization-server': {
    url: '/.well-known/oauth-authorization-server',
    fields: ['x'],
  },
  '/oauth/register': { url: '/oauth/register', fields: ['client_name', 'redirect_uris'] },
  '/oauth/token': {
    url: '/oauth/token',
    fields: [...CLIENT, 'client_secret', 'grant_type', 'code', 'code_verifier', 'refresh_token'],
  },
  '/oauth/revoke': {
    url: '/oauth/revoke',
    fields: ['client_id', 'client_secret', 'token', 'token_type_hint'],
  },
  '/oauth/introspect': {
    url: '/oauth/introspect',
    fields: ['client_id', 'client_secret', 'token', 'token_type_hint'],
  },
  '/oauth/authorize': {
    url: '/oauth/authorize',
    fields: [
      ...CLIENT,
      'response_type',
      'response_mode',
      'state',
      'code_challenge',
      'code_challenge_method',
      'prompt',
      'max_age',
      'login_hint',
      'ui_locales',
      'nonce',
      'request',
      'request_uri',
    ],
  },
  '/oauth/authorize/:uid': { url: '/oauth/authorize/{}', fields: ['x'] },
  '/oauth/consent/:uid': { url: '/oauth/consent/{}', fields: ['decision', 'integration'] },
  '/oauth/consent/:uid/connect': {
    url: '/oauth/consent/{}/connect',
    fields: ['integration', 'decision', 'token', 'asked'],
  },
  '/oauth/callback': {
    url: '/oauth/callback',
    fields: ['code', 'state', 'iss', 'error', 'error_description'],
  },
  '/oauth/callback/:integrationId': {
    url: '/oauth/callback/{}',
    fields: ['code', 'state', 'iss', 'error', 'error_description'],
  },
  '/oauth/clients/:id.json': { url: '/oauth/clients/{}.json', fields: ['x'] },
  '/oauth/client-metadata.json': { url: '/oauth/client-metadata.json', fields: ['x'] },
  '/sign-in': { url: '/sign-in', fields: ['return_to', 'email', 'password'] },
  '/sign-in/link/:secret': { url: '/sign-in/link/{}', fields: PASSWORD },
  '/sign-in/external': { url: '/sign-in/external', fields: ['return_to'] },
  '/sign-in/external/callback': {
    url: '/sign-in/external/callback',
    fields: ['code', 'state', 'iss', 'error', 'error_description'],
  },
  '/sign-out': { url: '/sign-out', fields: ['x'] },
  '/account': { url: '/account', fields: ['x'] },
  '/account/password': { url: '/account/password', fields: PASSWORD },
  '/account/grants': { url: '/account/grants', fields: ['after'] },
  '/account/grants/:id/end': { url: '/account/grants/{}/end', fields: ['x'] },
  '/': { url: '/', fields: ['x'] },
  '/console/token': { url: '/console/token', fields: ['active', 'resource'] },
  '/console/sign-out': { url: '/console/sign-out', fields: ['x'] },
  '/connect/:secret': { url: '/connect/{}', fields: ['decision', 'token', 'asked'] },
  '/docs': { url: '/docs', fields: ['x'] },
  '/docs/': { url: '/docs/', fields: ['x'] },
  '/docs/*page': { url: '/docs/{}', fields: ['x'] },
  '/connect': {
    url: '/connect',
    fields: ['integration', 'connected', 'ended', 'after', 'decision', 'token', 'asked'],
  },
};
