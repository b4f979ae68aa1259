import type { Page } from './pages.ts';

type Field = ReturnType<Page['getByLabel']>;

/** A form over the data of the demo. */
export interface Form {
  readonly name: string;
  /** Where it keeps what is typed, below `src/views`. */
  readonly source: string;
  readonly path: string;
  /** Opens it in the view. */
  readonly open?: (page: Page) => Promise<unknown>;
  /** One of its fields, and what is typed there. */
  readonly at: (page: Page) => Field;
  readonly typed: string;
  /** What else it needs. */
  readonly fill?: (page: Page) => Promise<unknown>;
  readonly send: (page: Page) => Promise<unknown>;
  /** Whether it shows what someone else has changed meanwhile: the tests of its view try that. */
  readonly isShared?: boolean;
}

const pressed = (name: string) => (page: Page) =>
  page.getByRole('button', { name, exact: true }).last().click();
const named = (page: Page) => page.getByLabel('Name', { exact: true });
const ofRow = (name: string, action: string) => async (page: Page) => {
  await page.getByRole('button', { name: `Actions for ${name}`, exact: true }).click();
  await page.getByRole('menuitem', { name: action }).click();
};
/** What changes is shown before it is saved. */
const savedInDialog = async (page: Page) => {
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  await pressed('See what changes')(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
};

export const FORMS: readonly Form[] = [
  {
    name: 'of a URL to look at',
    source: 'integrations/url-form.tsx',
    path: '/console/integrations/new',
    at: (page) => page.getByLabel('URL of the MCP server'),
    typed: 'https://mcp.tracker.example/mcp',
    send: pressed('Look at it'),
  },
  {
    name: 'of a new integration',
    source: 'integrations/create-form.tsx',
    path: '/console/integrations/new',
    open: async (page) => {
      await page.getByLabel('URL of the MCP server').fill('https://mcp.tracker.example/mcp');
      await pressed('Look at it')(page);
    },
    at: named,
    typed: 'Tracker of Ana',
    send: pressed('Add integration'),
  },
  {
    name: 'of an integration that only stores credentials',
    source: 'integrations/credentials-form.tsx',
    path: '/console/integrations/new?credentials=true',
    at: named,
    typed: 'Ledger of Ana',
    fill: (page) => page.getByLabel('URL of the API').fill('https://ledger.example'),
    send: pressed('Add integration'),
  },
  {
    name: 'of an integration',
    source: 'integrations/edit-form.tsx',
    path: '/console/integrations/{Warehouse}/edit',
    at: named,
    typed: 'Warehouse of the south',
    send: pressed('Save'),
    isShared: true,
  },
  {
    name: 'of an OAuth client',
    source: 'integrations/client-form.tsx',
    path: '/console/integrations/{Linear}?client=true',
    at: (page) => page.getByLabel('Client secret'),
    typed: 'secret-at-the-provider',
    fill: async (page) => {
      await page.getByLabel('Issuer').fill('https://login.linear.example');
      await page.getByLabel('Client id', { exact: true }).fill('gatehouse');
    },
    send: pressed('Store the client'),
    isShared: true,
  },
  {
    name: 'of the rules of an integration',
    source: 'policy/policy-form.tsx',
    path: '/console/integrations/{GitHub}/policy',
    at: (page) => page.getByLabel('Denied tools'),
    typed: 'delete_*',
    send: savedInDialog,
    isShared: true,
  },
  {
    name: 'of the rules of an attachment',
    source: 'policy/policy-form.tsx',
    path: '/console/applications/{Cursor}/integrations/{GitHub}/policy',
    at: (page) => page.getByLabel('Denied tools'),
    typed: 'merge_*',
    send: savedInDialog,
    isShared: true,
  },
  {
    name: 'of values to connect with',
    source: 'connections/credential-dialog.tsx',
    path: '/console/connections?connect={Jira}',
    at: (page) => page.getByLabel('Site'),
    typed: 'acme',
    fill: (page) => page.getByLabel('API key').fill('secret-of-ana'),
    send: pressed('Connect'),
  },
  {
    name: 'of a new application',
    source: 'applications/new.tsx',
    path: '/console/applications/new?client=cursor',
    at: named,
    typed: 'Cursor of Ana',
    send: pressed('Add application'),
  },
  {
    name: 'of an application',
    source: 'applications/settings-form.tsx',
    path: '/console/applications/{Nightly report}?tab=settings',
    at: named,
    typed: 'Report of the night',
    send: pressed('Save'),
    isShared: true,
  },
  {
    name: 'of an alias',
    source: 'applications/alias-dialog.tsx',
    path: '/console/applications/{Cursor}?tab=integrations',
    open: pressed('Change the alias of Linear'),
    at: (page) => page.getByLabel('Alias', { exact: true }),
    typed: 'issues',
    send: pressed('Save'),
  },
  {
    name: 'of a new token',
    source: 'tokens/create-form.tsx',
    path: '/console/tokens',
    open: pressed('Create token'),
    at: named,
    typed: 'Nightly job',
    fill: (page) => page.getByLabel('management:read').check(),
    send: pressed('Create token'),
  },
  {
    name: 'of an invitation',
    source: 'people/invite-form.tsx',
    path: '/console/people',
    open: pressed('Invite'),
    at: (page) => page.getByLabel('E-mail address'),
    typed: 'mika@example.com',
    fill: (page) => named(page).fill('Mika Sato'),
    send: pressed('Invite'),
  },
  {
    name: 'of a member',
    source: 'people/edit-dialog.tsx',
    path: '/console/people',
    open: ofRow('Li Wei', 'Edit'),
    at: named,
    typed: 'Li Wei of Platform',
    send: pressed('Save'),
  },
  {
    name: 'of a removal',
    source: 'people/remove-dialog.tsx',
    path: '/console/people',
    open: ofRow('Li Wei', 'Remove'),
    at: (page) => page.getByLabel('Type Li Wei to remove them'),
    typed: 'Li Wei',
    send: pressed('Remove'),
  },
  {
    name: 'of a new group',
    source: 'groups/group-form.tsx',
    path: '/console/groups',
    open: pressed('Create group'),
    at: named,
    typed: 'Night shift',
    send: pressed('Create group'),
  },
  {
    name: 'of a group',
    source: 'groups/group-form.tsx',
    path: '/console/groups/{Platform}',
    open: pressed('Edit'),
    at: named,
    typed: 'Platform team',
    send: pressed('Save'),
    isShared: true,
  },
];
