import type { CreateIntegrationBody } from '@gatehouse/contract';

type Server = Partial<CreateIntegrationBody> & { readonly name: string };

const host = (name: string) => `https://mcp.${name}.example/mcp`;

const known: readonly (readonly [name: string, host: string, mode: 'oauth' | 'user_token'])[] = [
  ['Linear', 'linear', 'oauth'],
  ['GitHub', 'github', 'oauth'],
  ['Notion', 'notion', 'oauth'],
  ['Sentry', 'sentry', 'oauth'],
  ['Figma', 'figma', 'oauth'],
  ['Slack', 'slack', 'oauth'],
  ['Asana', 'asana', 'oauth'],
  ['Atlassian', 'atlassian', 'oauth'],
  ['Stripe', 'stripe', 'user_token'],
  ['Datadog', 'datadog', 'user_token'],
  ['PagerDuty', 'pagerduty', 'user_token'],
  ['Grafana', 'grafana', 'user_token'],
];

const HOSTILE = [
  '<img src=x onerror=alert(1)>',
  '{{constructor.constructor("alert(1)")()}} <script>alert(1)</script>',
  'gnp.exe משרד مكتب 事務所 🏳️‍🌈',
  'A name that goes on and on, as people name things when nothing stops them: the staging copy of the old issue tracker of the second team, read only until March, do not use it for anything else',
];

/** Thirty integrations of every kind, some with names that try to be more than names. */
export const servers: readonly Server[] = [
  ...known.map(([name, domain, authMode]) => ({
    name,
    url: host(domain),
    authMode,
    ...(authMode === 'oauth' && { oauth: { provider: name, scopes: ['read', 'write'] } }),
  })),
  {
    name: 'Jira',
    url: host('jira'),
    authMode: 'user_token',
    credentialSchema: {
      type: 'object',
      properties: {
        site: {
          type: 'string',
          title: 'Site',
          description: 'The part before .atlassian.example',
          'x-header': 'X-Site',
          format: 'hostname',
        },
        api_key: {
          type: 'string',
          title: 'API key',
          description: 'Made under Account, Security.',
          'x-header': 'X-Api-Key',
          'x-prefix': 'Token ',
        },
        region: { type: 'string', title: 'Region', enum: ['eu', 'us'], 'x-header': 'X-Region' },
      },
      required: ['site', 'api_key'],
    },
  },
  {
    name: 'Warehouse',
    url: host('warehouse'),
    authMode: 'server_token',
    serverToken: 'demo-token',
  },
  { name: 'Reports', url: host('reports'), authMode: 'server_token', serverToken: 'demo-token' },
  {
    name: 'Billing API',
    url: host('billing'),
    authMode: 'user_token',
    category: 'internal_mcp_credentials',
  },
  { name: 'Docs search', url: host('docs'), authMode: 'none' },
  { name: 'Weather', url: host('weather'), authMode: 'none' },
  ...HOSTILE.map((name, index) => ({
    name,
    url: host(`hostile-${index}`),
    authMode: 'none' as const,
  })),
  ...[
    'Payroll',
    'Contracts',
    'Inventory',
    'Support desk',
    'Mail archive',
    'Calendar',
    'Wiki',
    'Builds',
  ].map((name) => ({
    name,
    url: host(name.toLowerCase().replace(' ', '-')),
    authMode: 'oauth' as const,
  })),
];

export { HOSTILE as hostileNames };
