import type { Preset } from '../preset.ts';

/** Providers whose MCP servers follow the standards. */
export const standardProviders: readonly Preset[] = [
  {
    name: 'sentry',
    title: 'Sentry',
    hosts: ['mcp.sentry.dev'],
    registration: 'automatic',
    help: {},
  },
  {
    name: 'stripe',
    title: 'Stripe',
    hosts: ['mcp.stripe.com'],
    registration: 'automatic',
    help: {},
  },
  {
    name: 'intercom',
    title: 'Intercom',
    hosts: ['mcp.intercom.com'],
    registration: 'automatic',
    help: { notes: ['Its MCP server is for workspaces hosted in the United States.'] },
  },
  {
    name: 'monday',
    title: 'monday.com',
    hosts: ['mcp.monday.com'],
    registration: 'automatic',
    help: {},
  },
  {
    name: 'cloudflare',
    title: 'Cloudflare',
    hosts: ['*.mcp.cloudflare.com'],
    registration: 'automatic',
    help: {},
  },
  {
    name: 'paypal',
    title: 'PayPal',
    hosts: ['mcp.paypal.com'],
    registration: 'automatic',
    help: {},
  },
  {
    name: 'neon',
    title: 'Neon',
    hosts: ['mcp.neon.tech'],
    registration: 'automatic',
    help: {},
  },
  {
    name: 'supabase',
    title: 'Supabase',
    hosts: ['mcp.supabase.com'],
    registration: 'automatic',
    help: {},
  },
  {
    name: 'vercel',
    title: 'Vercel',
    hosts: ['mcp.vercel.com'],
    registration: 'automatic',
    help: { notes: ['Vercel registers only clients that it has approved, and refuses others.'] },
  },
  {
    name: 'webflow',
    title: 'Webflow',
    hosts: ['mcp.webflow.com'],
    registration: 'automatic',
    help: {},
  },
];
