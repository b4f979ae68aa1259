import type { PresetData } from './preset.ts';

/** Providers where Gatehouse registers itself or uses its metadata document. */
export const selfRegisteringProviders: readonly PresetData[] = [
  {
    name: 'airtable',
    title: 'Airtable',
    hosts: ['mcp.airtable.com'],
    issuers: ['https://airtable.com/oauth2/v1'],
    profile: {
      method: 'GET',
      url: 'https://api.airtable.com/v0/meta/whoami',
      paths: ['email', 'id'],
    },
    sources: [
      'https://support.airtable.com/articles/9897799762-using-the-airtable-mcp-server',
      'https://airtable.com/developers/web/api/oauth-reference',
      'https://airtable.com/.well-known/oauth-authorization-server/oauth2/v1',
    ],
    help: {
      notes: [
        'Access tokens live for an hour. Refresh tokens change each time and end after 60 days without use.',
        'An admin of the Airtable organization may have to allow the client that Gatehouse registers.',
        'Add the scope `user.email:read` to see which account is connected.',
      ],
    },
  },
  {
    name: 'atlassian',
    aliases: ['jira', 'confluence'],
    title: 'Atlassian',
    hosts: ['mcp.atlassian.com'],
    refreshErrors: { unauthorized_client: 'grant_rejected' },
    sources: [
      'https://support.atlassian.com/atlassian-rovo-mcp-server/docs/getting-started-with-the-atlassian-remote-mcp-server/',
      'https://support.atlassian.com/security-and-access-policies/docs/available-atlassian-mcp-server-domains/',
      'https://github.com/atlassian/atlassian-mcp-server/issues/12',
    ],
    help: {
      setup:
        'In Atlassian Administration, under "Rovo MCP server", an organization admin adds the redirect URI to the allowed domains.',
      appsUrl: 'https://admin.atlassian.com',
      notes: [
        'Refresh tokens change each time.',
        'A site admin may also have to allow apps that users install.',
      ],
    },
  },
  {
    name: 'figma',
    title: 'Figma',
    hosts: ['mcp.figma.com'],
    sources: ['https://developers.figma.com/docs/figma-mcp-server/remote-server-installation/'],
    help: { notes: ['Figma registers only clients that it has approved, and refuses others.'] },
  },
  {
    name: 'gitlab',
    title: 'GitLab',
    hosts: ['gitlab.com'],
    issuers: ['https://gitlab.com'],
    profile: { method: 'GET', url: '/api/v4/user', paths: ['username'] },
    sources: [
      'https://docs.gitlab.com/user/model_context_protocol/mcp_server/',
      'https://docs.gitlab.com/api/oauth2/',
      'https://gitlab.com/.well-known/oauth-authorization-server',
    ],
    help: {
      appsUrl: 'https://gitlab.com/-/user_settings/applications',
      setup:
        'On GitLab.com an owner of the top-level group allows access to the MCP server. An application is needed only for scopes other than `mcp`: create one, and set `clientId` and `clientSecret`.',
      notes: ['Access tokens live for two hours and refresh tokens change each time.'],
    },
  },
  {
    name: 'linear',
    title: 'Linear',
    hosts: ['mcp.linear.app'],
    sources: ['https://linear.app/docs/mcp'],
  },
  {
    name: 'miro',
    title: 'Miro',
    hosts: ['mcp.miro.com'],
    sources: [
      'https://developers.miro.com/docs/miro-mcp',
      'https://github.com/miroapp/miro-ai/issues/59',
    ],
    help: {
      notes: ['Unused connections may end within hours. People then connect again.'],
    },
  },
  {
    name: 'notion',
    title: 'Notion',
    hosts: ['mcp.notion.com'],
    sources: [
      'https://developers.notion.com/guides/mcp/build-mcp-client',
      'https://github.com/makenotion/notion-mcp-server/issues/225',
    ],
    help: {
      notes: [
        'Access tokens live for an hour and refresh tokens change each time.',
        'Connections belong to the client that Gatehouse registered. They end when it is registered again.',
      ],
    },
  },
  {
    name: 'canva',
    title: 'Canva',
    hosts: ['mcp.canva.com'],
    sources: ['https://www.canva.dev/docs/connect/canva-mcp-server-setup/'],
  },
  {
    name: 'clickup',
    title: 'ClickUp',
    hosts: ['mcp.clickup.com'],
    sources: ['https://developer.clickup.com/docs/connect-an-ai-assistant-to-clickups-mcp-server'],
    help: {
      notes: [
        'ClickUp takes only the redirect URIs of clients that it has approved, and gives no refresh tokens.',
      ],
    },
  },
  {
    name: 'cloudflare',
    title: 'Cloudflare',
    hosts: ['mcp.cloudflare.com', '*.mcp.cloudflare.com'],
    sources: [
      'https://developers.cloudflare.com/agents/model-context-protocol/mcp-servers-for-cloudflare/',
    ],
  },
  {
    name: 'huggingface',
    title: 'Hugging Face',
    hosts: ['huggingface.co'],
    sources: ['https://huggingface.co/docs/hub/oauth'],
    help: {
      notes: [
        'Its MCP server answers without a token too, so discovery says that no token is needed. Choose `oauth` for the tools of an account.',
      ],
    },
  },
  {
    name: 'intercom',
    title: 'Intercom',
    hosts: ['mcp.intercom.com', 'mcp.eu.intercom.com'],
    sources: ['https://developers.intercom.com/docs/guides/mcp'],
    help: {
      notes: [
        'Workspaces in Europe use `https://mcp.eu.intercom.com/mcp`. Australia has no such server.',
      ],
    },
  },
  {
    name: 'monday',
    title: 'monday.com',
    hosts: ['mcp.monday.com'],
    sources: ['https://developer.monday.com/api-reference/docs/integrate-with-monday-mcp'],
    help: {
      notes: [
        'If monday.com refuses to register Gatehouse, create a monday.com app, and set `clientId` and `clientSecret`.',
      ],
    },
  },
  {
    name: 'neon',
    title: 'Neon',
    hosts: ['mcp.neon.tech'],
    sources: ['https://neon.com/docs/ai/neon-mcp-server'],
  },
  {
    name: 'paypal',
    title: 'PayPal',
    hosts: ['mcp.paypal.com', 'mcp.sandbox.paypal.com'],
    sources: ['https://developer.paypal.com/tools/mcp-server/'],
  },
  {
    name: 'sentry',
    title: 'Sentry',
    hosts: ['mcp.sentry.dev'],
    sources: ['https://docs.sentry.io/product/sentry-mcp/'],
  },
  {
    name: 'square',
    title: 'Square',
    hosts: ['mcp.squareup.com'],
    sources: ['https://developer.squareup.com/docs/mcp'],
  },
  {
    name: 'stripe',
    title: 'Stripe',
    hosts: ['mcp.stripe.com'],
    sources: ['https://docs.stripe.com/mcp'],
  },
  {
    name: 'supabase',
    title: 'Supabase',
    hosts: ['mcp.supabase.com'],
    sources: ['https://supabase.com/docs/guides/getting-started/mcp'],
  },
  {
    name: 'vercel',
    title: 'Vercel',
    hosts: ['mcp.vercel.com'],
    sources: ['https://vercel.com/docs/mcp/vercel-mcp'],
    help: {
      notes: ['Vercel registers only clients that it has approved, and refuses others.'],
    },
  },
  {
    name: 'webflow',
    title: 'Webflow',
    hosts: ['mcp.webflow.com'],
    sources: ['https://developers.webflow.com/mcp/reference/getting-started'],
  },
];
