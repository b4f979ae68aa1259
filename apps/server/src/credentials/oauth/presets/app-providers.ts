import type { PresetData } from './preset.ts';

/** Providers where an admin has to create an OAuth app first. */
export const appProviders: readonly PresetData[] = [
  {
    name: 'asana',
    title: 'Asana',
    hosts: ['mcp.asana.com'],
    issuers: ['https://app.asana.com'],
    accountPaths: ['data.email', 'data.name'],
    sources: [
      'https://developers.asana.com/docs/integrating-with-asanas-mcp-server',
      'https://developers.asana.com/docs/oauth',
      'https://app.asana.com/.well-known/oauth-authorization-server',
    ],
    help: {
      appsUrl: 'https://app.asana.com/0/my-apps',
      setup:
        'Create an app of the type "MCP app". Under "Manage distribution", allow it for the workspaces that use it.',
      notes: [
        'Use `https://mcp.asana.com/v2/mcp`. The older `/sse` is no longer supported.',
        'Tokens of an MCP app work for the MCP server only. Access tokens live for an hour.',
      ],
    },
  },
  {
    name: 'box',
    title: 'Box',
    hosts: ['mcp.box.com'],
    issuers: ['https://api.box.com'],
    resource: 'never',
    profile: { method: 'GET', url: 'https://api.box.com/2.0/users/me', paths: ['login', 'name'] },
    sources: [
      'https://developer.box.com/guides/box-mcp/setup',
      'https://developer.box.com/guides/authentication/tokens/refresh',
      'https://api.box.com/.well-known/oauth-authorization-server',
    ],
    help: {
      appsUrl: 'https://app.box.com/master/integrations',
      setup:
        'In the Admin Console, under "Integrations", an admin configures "Box MCP server" and adds integration credentials.',
      notes: ['Refresh tokens change each time and end after 60 days without use.'],
    },
  },
  {
    name: 'discord',
    title: 'Discord',
    hosts: ['discord.com'],
    issuers: ['https://discord.com'],
    // Its metadata has no endpoint for revocation.
    endpoints: {
      authorization: 'https://discord.com/oauth2/authorize',
      token: 'https://discord.com/api/oauth2/token',
      revocation: 'https://discord.com/api/oauth2/token/revoke',
    },
    pkce: 'S256',
    resource: 'never',
    authMethod: 'client_secret_basic',
    profile: { method: 'GET', url: 'https://discord.com/api/users/@me', paths: ['username'] },
    sources: ['https://docs.discord.com/developers/topics/oauth2'],
    help: {
      appsUrl: 'https://discord.com/developers/applications',
      setup: 'Create an application and add the redirect under "OAuth2".',
      notes: [
        'Discord has no MCP server itself. Use this for servers that take tokens of Discord.',
        'Add the scope `identify` to see which account is connected.',
      ],
    },
  },
  {
    name: 'dropbox',
    title: 'Dropbox',
    hosts: ['mcp.dropbox.com'],
    issuers: ['https://www.dropbox.com'],
    // Its metadata offers registration, but Dropbox refuses unknown clients.
    endpoints: {
      authorization: 'https://www.dropbox.com/oauth2/authorize',
      token: 'https://api.dropboxapi.com/oauth2/token',
    },
    pkce: 'S256',
    resource: 'never',
    authMethod: 'client_secret_post',
    // Otherwise there is no refresh token.
    authorizationParams: { token_access_type: 'offline' },
    // Ends the refresh token too.
    revocation: {
      method: 'POST',
      url: 'https://api.dropboxapi.com/2/auth/token/revoke',
      authentication: 'token',
    },
    profile: {
      method: 'POST',
      url: 'https://api.dropboxapi.com/2/users/get_current_account',
      paths: ['email', 'name.display_name'],
    },
    sources: [
      'https://help.dropbox.com/integrations/connect-dropbox-mcp-server',
      'https://www.dropbox.com/developers/documentation/http/documentation',
    ],
    help: {
      appsUrl: 'https://www.dropbox.com/developers/apps',
      setup: 'Create an app with scoped access and choose its permissions.',
      notes: ['Add the scope `account_info.read` to see which account is connected.'],
    },
  },
  {
    name: 'entra',
    aliases: ['microsoft', 'azure', 'azuread'],
    title: 'Microsoft Entra ID',
    hosts: [
      'login.microsoftonline.com',
      'login.microsoftonline.us',
      'login.partner.microsoftonline.cn',
    ],
    // Its metadata does not list code_challenge_methods_supported.
    pkce: 'S256',
    resource: 'published',
    authMethod: 'client_secret_post',
    // `consent` would turn away people after their admin has consented for them.
    authorizationParams: { prompt: 'select_account' },
    hasScopeInRefresh: true,
    requiredScopes: ['offline_access'],
    sources: [
      'https://learn.microsoft.com/en-us/entra/identity-platform/v2-oauth2-auth-code-flow',
      'https://learn.microsoft.com/en-us/entra/identity-platform/authentication-national-cloud',
    ],
    help: {
      appsUrl: 'https://entra.microsoft.com/#view/Microsoft_AAD_RegisteredApps',
      setup:
        'Register an application with a web redirect URI and a client secret. Set `issuer` to `https://login.microsoftonline.com/<tenant id>/v2.0`.',
      notes: [
        'The issuers of `common` and `organizations` do not work: their metadata names no tenant.',
        'Scopes belong to one API, for example `api://<application id>/.default`.',
        'Client secrets expire after at most two years.',
        'Microsoft has no way to revoke a single token. After people disconnect, it stays valid there until it expires.',
      ],
    },
  },
  {
    name: 'github',
    title: 'GitHub',
    hosts: ['api.githubcopilot.com'],
    issuers: ['https://github.com/login/oauth'],
    // Its metadata lists neither PKCE nor client authentication, and scopes of another flow.
    endpoints: {
      authorization: 'https://github.com/login/oauth/authorize',
      token: 'https://github.com/login/oauth/access_token',
    },
    pkce: 'S256',
    authMethod: 'client_secret_post',
    errors: {
      bad_verification_code: 'grant_rejected',
      bad_refresh_token: 'grant_rejected',
      incorrect_client_credentials: 'client_rejected',
      unverified_user_email: 'access_denied',
    },
    revocation: {
      method: 'DELETE',
      url: 'https://api.github.com/applications/{clientId}/token',
      authentication: 'client',
      field: 'access_token',
    },
    profile: { method: 'GET', url: 'https://api.github.com/user', paths: ['login'] },
    sources: [
      'https://github.com/github/github-mcp-server/blob/main/docs/host-integration.md',
      'https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps',
      'https://docs.github.com/en/apps/oauth-apps/maintaining-oauth-apps/troubleshooting-oauth-app-access-token-request-errors',
      'https://docs.github.com/en/rest/apps/oauth-applications#delete-an-app-token',
    ],
    help: {
      appsUrl: 'https://github.com/settings/developers',
      setup: 'Create an OAuth app, or a GitHub App with expiring user tokens.',
      notes: [
        'Tokens of an OAuth app do not expire. Tokens of a GitHub App do, and are refreshed.',
        'An organization may have to approve the app before its repositories can be reached.',
      ],
    },
  },
  {
    name: 'google',
    title: 'Google',
    hosts: ['*.googleapis.com'],
    issuers: ['https://accounts.google.com'],
    resource: 'never',
    // Otherwise a refresh token comes only with the first consent, or never.
    authorizationParams: { access_type: 'offline', prompt: 'consent' },
    sources: [
      'https://developers.google.com/workspace/guides/configure-mcp-servers',
      'https://developers.google.com/identity/protocols/oauth2/web-server',
      'https://accounts.google.com/.well-known/openid-configuration',
    ],
    help: {
      appsUrl: 'https://console.cloud.google.com/apis/credentials',
      setup:
        'Create an OAuth client of type "Web application", and enable the API that the MCP server serves and its MCP API.',
      notes: [
        "Google's MCP servers list their tools without a token too, so discovery may say that no token is needed. Choose `oauth` all the same.",
        'While the consent screen is in testing, refresh tokens end after 7 days. Publish the app, or make it internal.',
        'Add the scope `email` with `openid` to see which account is connected.',
      ],
    },
  },
  {
    name: 'hubspot',
    title: 'HubSpot',
    hosts: ['mcp.hubspot.com'],
    issuers: ['https://mcp.hubspot.com'],
    errors: { BAD_AUTH_CODE: 'grant_rejected', BAD_REFRESH_TOKEN: 'grant_rejected' },
    sources: [
      'https://developers.hubspot.com/docs/apps/developer-platform/build-apps/integrate-with-hubspot-mcp-server',
      'https://mcp.hubspot.com/.well-known/oauth-authorization-server',
      'https://nango.dev/blog/hubspot-oauth-bad-refresh-token',
    ],
    help: {
      appsUrl: 'https://app.hubspot.com/l/mcp-auth-apps/',
      setup:
        'In HubSpot, under "Development", create an MCP auth app. Use `https://mcp.hubspot.com` as the URL of the MCP server.',
      notes: [
        'The app and the person determine the scopes. Leave `scopes` empty.',
        'The MCP server refuses tokens of other HubSpot apps.',
        'An admin of the account connects first.',
      ],
    },
  },
  {
    name: 'jobber',
    title: 'Jobber',
    hosts: ['api.getjobber.com'],
    issuers: ['https://api.getjobber.com'],
    // It publishes no metadata.
    endpoints: {
      authorization: 'https://api.getjobber.com/api/oauth/authorize',
      token: 'https://api.getjobber.com/api/oauth/token',
    },
    pkce: 'off',
    resource: 'never',
    authMethod: 'client_secret_post',
    sources: ['https://developer.getjobber.com/docs/building_your_app/app_authorization/'],
    help: {
      appsUrl: 'https://developer.getjobber.com',
      setup: 'Create an app in the developer center and choose its scopes there.',
      notes: [
        'Jobber has no MCP server itself. Use this for servers that take tokens of Jobber.',
        'The response names no expiry. Gatehouse reads it from the access token.',
      ],
    },
  },
  {
    name: 'salesforce',
    title: 'Salesforce',
    hosts: ['api.salesforce.com', '*.my.salesforce.com'],
    issuers: [
      'https://login.salesforce.com',
      'https://test.salesforce.com',
      'https://*.my.salesforce.com',
    ],
    // Its metadata offers registration, which makes clients for other flows.
    endpoints: {
      authorization: '/services/oauth2/authorize',
      token: '/services/oauth2/token',
      revocation: '/services/oauth2/revoke',
      userinfo: '/services/oauth2/userinfo',
    },
    pkce: 'S256',
    resource: 'never',
    authMethod: 'client_secret_post',
    requiredScopes: ['refresh_token'],
    errors: { invalid_client_id: 'client_rejected' },
    sources: [
      'https://developer.salesforce.com/docs/platform/hosted-mcp-servers/guide/create-external-client-app.html',
      'https://login.salesforce.com/.well-known/openid-configuration',
      'https://help.salesforce.com/s/articleView?id=xcloud.remoteaccess_pkce.htm&language=en_US&type=5',
    ],
    help: {
      setup:
        'In Setup, create an External Client App with OAuth enabled and the scopes `mcp_api` and `refresh_token`, and activate the MCP servers. Set `issuer` to `https://login.salesforce.com` or, for a sandbox, to `https://test.salesforce.com`.',
      notes: [
        'For MCP servers that Salesforce does not host, `issuer` can be the My Domain URL too.',
        'Tokens come without an expiry, unless they are JWTs. Gatehouse refreshes them when Salesforce refuses them.',
        'Without the scope `refresh_token`, which Gatehouse adds, people connect again after each session.',
      ],
    },
  },
  {
    name: 'slack',
    title: 'Slack',
    hosts: ['mcp.slack.com'],
    issuers: ['https://mcp.slack.com', 'https://slack.com'],
    // The metadata of slack.com describes "Sign in with Slack", and its tokens work for no API.
    endpoints: {
      authorization: 'https://slack.com/oauth/v2_user/authorize',
      token: 'https://slack.com/api/oauth.v2.user.access',
    },
    scopeSeparator: ',',
    // Enabling PKCE in an app cannot be undone: it makes the app a public client, with refresh tokens of 30 days.
    pkce: 'off',
    resource: 'never',
    authMethod: 'client_secret_post',
    tokenPath: 'authed_user',
    accountPaths: ['team.name'],
    errors: {
      invalid_code: 'grant_rejected',
      code_expired: 'grant_rejected',
      code_already_used: 'grant_rejected',
      invalid_refresh_token: 'grant_rejected',
      token_revoked: 'grant_rejected',
      token_expired: 'grant_rejected',
      invalid_auth: 'grant_rejected',
      account_inactive: 'grant_rejected',
      bad_client_secret: 'client_rejected',
      invalid_client_id: 'client_rejected',
      bad_redirect_uri: 'redirect_uri_rejected',
      ratelimited: 'rate_limited',
    },
    revocation: {
      method: 'POST',
      url: 'https://slack.com/api/auth.revoke',
      authentication: 'token',
    },
    profile: { method: 'POST', url: 'https://slack.com/api/auth.test', paths: ['user'] },
    sources: [
      'https://docs.slack.dev/ai/slack-mcp-server/',
      'https://docs.slack.dev/reference/methods/oauth.v2.user.access',
      'https://docs.slack.dev/authentication/using-pkce',
      'https://docs.slack.dev/authentication/using-token-rotation/',
    ],
    help: {
      appsUrl: 'https://api.slack.com/apps',
      setup:
        'Create an app in your workspace. Under "Agents & AI Apps", switch on "Model Context Protocol". Add the redirect URL and the user token scopes that you need. Set `issuer` to `https://mcp.slack.com`.',
      notes: [
        "Set `scopes` to the app's scopes. Otherwise Gatehouse requests all that the MCP server lists, and Slack refuses the ones that the app lacks.",
        'Only apps of your own workspace and published ones may use the MCP server. A workspace may have to approve the app.',
        'For MCP servers that Slack does not host, set `issuer` to `https://slack.com`.',
        'Tokens expire only if token rotation is on in the app. It cannot be turned off again.',
      ],
    },
  },
  {
    name: 'zendesk',
    title: 'Zendesk',
    hosts: ['*.zendesk.com'],
    issuers: ['https://*.zendesk.com'],
    endpoints: { authorization: '/oauth/authorizations/new', token: '/oauth/tokens' },
    pkce: 'S256',
    resource: 'never',
    authMethod: 'client_secret_post',
    // Seconds, each less than 2 and 90 days. Otherwise access tokens may have no end.
    tokenParams: { expires_in: '86400', refresh_token_expires_in: '7689600' },
    revocation: {
      method: 'DELETE',
      url: '/api/v2/oauth/tokens/current.json',
      authentication: 'token',
    },
    profile: { method: 'GET', url: '/api/v2/users/me.json', paths: ['user.email', 'user.name'] },
    sources: [
      'https://support.zendesk.com/hc/en-us/articles/4408845965210',
      'https://developer.zendesk.com/api-reference/ticketing/oauth/grant_type_tokens/',
      'https://developer.zendesk.com/documentation/api-basics/authentication/revoking-oauth-token',
    ],
    help: {
      setup:
        'In the Admin Center, under "Apps and integrations", add an OAuth client. Set `issuer` to `https://<subdomain>.zendesk.com`.',
      notes: [
        'Scopes are words such as `read` and `write`, or one of an API, such as `tickets:read`.',
        'Refresh tokens change each time and end after 89 days.',
        'When people disconnect, Zendesk may not end tokens without the scope `write`.',
      ],
    },
  },
  {
    name: 'zoom',
    title: 'Zoom',
    hosts: ['mcp.zoom.us'],
    issuers: ['https://zoom.us'],
    // Its metadata has no endpoint for revocation.
    endpoints: {
      authorization: 'https://zoom.us/oauth/authorize',
      token: 'https://zoom.us/oauth/token',
      revocation: 'https://zoom.us/oauth/revoke',
    },
    pkce: 'S256',
    resource: 'never',
    authMethod: 'client_secret_basic',
    profile: { method: 'GET', url: 'https://api.zoom.us/v2/users/me', paths: ['email'] },
    sources: [
      'https://developers.zoom.us/docs/mcp/servers/connect-to-zoom-mcp-servers/',
      'https://developers.zoom.us/docs/integrations/oauth/',
    ],
    help: {
      appsUrl: 'https://marketplace.zoom.us/develop/create',
      setup: 'Create a general app, managed by users, and add its scopes.',
      notes: ['Refresh tokens change each time and end after about 90 days.'],
    },
  },
];
