import type { Preset } from '../preset.ts';

/** Providers whose MCP servers follow the standards. */
export const standardProviders: readonly Preset[] = [
  {
    name: 'canva',
    title: 'Canva',
    hosts: ['mcp.canva.com'],
    registration: 'automatic',
    sources: ['https://www.canva.dev/docs/connect/canva-mcp-server-setup/'],
    help: {},
  },
  {
    name: 'clickup',
    title: 'ClickUp',
    hosts: ['mcp.clickup.com'],
    registration: 'automatic',
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
    registration: 'automatic',
    sources: [
      'https://developers.cloudflare.com/agents/model-context-protocol/mcp-servers-for-cloudflare/',
    ],
    help: {},
  },
  {
    name: 'huggingface',
    title: 'Hugging Face',
    hosts: ['huggingface.co'],
    registration: 'automatic',
    sources: ['https://huggingface.co/docs/hub/oauth'],
    help: {
      notes: [
        'Its MCP server answers without a token too, so discovery says that none is needed. Choose `oauth` for the tools of an account.',
      ],
    },
  },
  {
    name: 'intercom',
    title: 'Intercom',
    hosts: ['mcp.intercom.com', 'mcp.eu.intercom.com'],
    registration: 'automatic',
    sources: ['https://developers.intercom.com/docs/guides/mcp'],
    help: {
      notes: [
        'Workspaces in Europe use `https://mcp.eu.intercom.com/mcp`. There is none for Australia.',
      ],
    },
  },
  {
    name: 'monday',
    title: 'monday.com',
    hosts: ['mcp.monday.com'],
    registration: 'automatic',
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
    registration: 'automatic',
    sources: ['https://neon.com/docs/ai/neon-mcp-server'],
    help: {},
  },
  {
    name: 'paypal',
    title: 'PayPal',
    hosts: ['mcp.paypal.com', 'mcp.sandbox.paypal.com'],
    registration: 'automatic',
    sources: ['https://developer.paypal.com/tools/mcp-server/'],
    help: {},
  },
  {
    name: 'sentry',
    title: 'Sentry',
    hosts: ['mcp.sentry.dev'],
    registration: 'automatic',
    sources: ['https://docs.sentry.io/product/sentry-mcp/'],
    help: {},
  },
  {
    name: 'square',
    title: 'Square',
    hosts: ['mcp.squareup.com'],
    registration: 'automatic',
    sources: ['https://developer.squareup.com/docs/mcp'],
    help: {},
  },
  {
    name: 'stripe',
    title: 'Stripe',
    hosts: ['mcp.stripe.com'],
    registration: 'automatic',
    sources: ['https://docs.stripe.com/mcp'],
    help: {},
  },
  {
    name: 'supabase',
    title: 'Supabase',
    hosts: ['mcp.supabase.com'],
    registration: 'automatic',
    sources: ['https://supabase.com/docs/guides/getting-started/mcp'],
    help: {},
  },
  {
    name: 'vercel',
    title: 'Vercel',
    hosts: ['mcp.vercel.com'],
    registration: 'automatic',
    sources: ['https://vercel.com/docs/mcp/vercel-mcp'],
    help: {
      notes: ['Vercel registers only clients that it has approved, and refuses others.'],
    },
  },
  {
    name: 'webflow',
    title: 'Webflow',
    hosts: ['mcp.webflow.com'],
    registration: 'automatic',
    sources: ['https://developers.webflow.com/mcp/reference/getting-started'],
    help: {},
  },
];
