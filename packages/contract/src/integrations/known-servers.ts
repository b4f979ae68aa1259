import type { AuthMode } from './integration-enums.ts';

/** A public MCP server that many organizations use, as its own documentation describes it. */
export interface KnownServer {
  readonly name: string;
  /** Of its MCP endpoint. */
  readonly url: string;
  /** What people do with it, in a few words. */
  readonly about: string;
  readonly authMode: Extract<AuthMode, 'none' | 'oauth'>;
  readonly documentation: string;
}

function withAccount(name: string, url: string, about: string, documentation: string): KnownServer {
  return { name, url, about, authMode: 'oauth', documentation };
}

function withoutAccount(
  name: string,
  url: string,
  about: string,
  documentation: string,
): KnownServer {
  return { name, url, about, authMode: 'none', documentation };
}

/** In the order of their names. Nothing fetches them until a person chooses one. */
export const knownServers: readonly KnownServer[] = [
  withAccount(
    'Asana',
    'https://mcp.asana.com/v2/mcp',
    'Tasks and projects',
    'https://developers.asana.com/docs/integrating-with-asanas-mcp-server',
  ),
  withAccount(
    'Atlassian',
    'https://mcp.atlassian.com/v1/mcp',
    'Jira issues and Confluence pages',
    'https://support.atlassian.com/atlassian-rovo-mcp-server/docs/getting-started-with-the-atlassian-remote-mcp-server/',
  ),
  withAccount(
    'Canva',
    'https://mcp.canva.com/mcp',
    'Designs and brand templates',
    'https://www.canva.dev/docs/connect/canva-mcp-server-setup/',
  ),
  withAccount(
    'ClickUp',
    'https://mcp.clickup.com/mcp',
    'Tasks, lists and documents',
    'https://developer.clickup.com/docs/connect-an-ai-assistant-to-clickups-mcp-server',
  ),
  withoutAccount(
    'Cloudflare documentation',
    'https://docs.mcp.cloudflare.com/mcp',
    'Search in the documentation of Cloudflare',
    'https://developers.cloudflare.com/agents/model-context-protocol/mcp-servers-for-cloudflare/',
  ),
  withAccount(
    'Figma',
    'https://mcp.figma.com/mcp',
    'Design files, variables and components',
    'https://developers.figma.com/docs/figma-mcp-server/remote-server-installation/',
  ),
  withAccount(
    'GitHub',
    'https://api.githubcopilot.com/mcp/',
    'Repositories, issues and pull requests',
    'https://github.com/github/github-mcp-server/blob/main/docs/host-integration.md',
  ),
  withAccount(
    'GitLab',
    'https://gitlab.com/api/v4/mcp',
    'Projects, issues and merge requests',
    'https://docs.gitlab.com/user/model_context_protocol/mcp_server/',
  ),
  withAccount(
    'HubSpot',
    'https://mcp.hubspot.com',
    'Contacts, companies and deals',
    'https://developers.hubspot.com/docs/apps/developer-platform/build-apps/integrate-with-hubspot-mcp-server',
  ),
  withAccount(
    'Hugging Face',
    'https://huggingface.co/mcp',
    'Models, datasets and Spaces',
    'https://huggingface.co/docs/hub/oauth',
  ),
  withAccount(
    'Intercom',
    'https://mcp.intercom.com/mcp',
    'Conversations and contacts',
    'https://developers.intercom.com/docs/guides/mcp',
  ),
  withAccount(
    'Linear',
    'https://mcp.linear.app/mcp',
    'Issues, projects and cycles',
    'https://linear.app/docs/mcp',
  ),
  withoutAccount(
    'Microsoft Learn',
    'https://learn.microsoft.com/api/mcp',
    'Search in the documentation of Microsoft',
    'https://learn.microsoft.com/en-us/training/support/mcp',
  ),
  withAccount(
    'monday.com',
    'https://mcp.monday.com/mcp',
    'Boards, items and updates',
    'https://developer.monday.com/api-reference/docs/integrate-with-monday-mcp',
  ),
  withAccount(
    'Neon',
    'https://mcp.neon.tech/mcp',
    'Postgres projects, branches and queries',
    'https://neon.com/docs/ai/neon-mcp-server',
  ),
  withAccount(
    'Notion',
    'https://mcp.notion.com/mcp',
    'Pages and databases',
    'https://developers.notion.com/guides/mcp/build-mcp-client',
  ),
  withAccount(
    'PayPal',
    'https://mcp.paypal.com/mcp',
    'Invoices, orders and transactions',
    'https://developer.paypal.com/tools/mcp-server/',
  ),
  withAccount(
    'Sentry',
    'https://mcp.sentry.dev/mcp',
    'Errors, issues and releases',
    'https://docs.sentry.io/product/sentry-mcp/',
  ),
  withAccount(
    'Slack',
    'https://mcp.slack.com/mcp',
    'Messages, channels and canvases',
    'https://docs.slack.dev/ai/slack-mcp-server/',
  ),
  withAccount(
    'Stripe',
    'https://mcp.stripe.com',
    'Customers, payments and subscriptions',
    'https://docs.stripe.com/mcp',
  ),
  withAccount(
    'Supabase',
    'https://mcp.supabase.com/mcp',
    'Projects, tables and queries',
    'https://supabase.com/docs/guides/getting-started/mcp',
  ),
  withAccount(
    'Vercel',
    'https://mcp.vercel.com',
    'Projects, deployments and logs',
    'https://vercel.com/docs/mcp/vercel-mcp',
  ),
];
