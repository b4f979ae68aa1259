/** A view of the console over the data of the demo. */
export type View = {
  /** `{…}` is the id of what has the name. */
  readonly path: string;
  /** What it shows when it is there. */
  readonly sign: string;
  /** Whether it reads nothing before it is there. */
  readonly isStill?: boolean;
  /** Whether it is over no data. */
  readonly isFirst?: boolean;
} & (Pictured | Unpictured);

interface Pictured {
  /** Its heading among the pictures of the documentation. */
  readonly title: string;
}

interface Unpictured {
  readonly title?: never;
  /** Why the documentation has no picture of it. */
  readonly withoutPicture: string;
}

export const VIEWS: readonly View[] = [
  { path: '/console/integrations', sign: 'Linear', title: 'Integrations' },
  {
    path: '/console/integrations/new',
    sign: 'Look at it',
    title: 'Add an integration',
    isStill: true,
  },
  {
    path: '/console/integrations/{Jira}',
    sign: 'Can it be used?',
    title: 'Why an integration cannot be used',
  },
  {
    path: '/console/integrations/{GitHub}?tab=tools',
    sign: 'create_issue',
    title: 'The tools of an integration',
  },
  { path: '/console/integrations/{GitHub}?tab=prompts', sign: 'triage', title: 'Its prompts' },
  {
    path: '/console/integrations/{GitHub}?tab=resources',
    sign: 'repo://docs/README.md',
    title: 'Its resources',
  },
  {
    path: '/console/integrations/{Linear}?tab=connections',
    sign: 'The grant has ended',
    title: 'Who has connected an integration',
  },
  {
    path: '/console/integrations/{GitHub}?tab=applications',
    sign: 'Cursor',
    title: 'Its applications',
  },
  {
    path: '/console/integrations/{GitHub}?tab=policy',
    sign: 'No rule binds it',
    title: 'Its policy',
  },
  {
    path: '/console/integrations/{GitHub}?tab=history',
    sign: 'Validated an integration',
    title: 'What was changed about an integration',
  },
  {
    path: '/console/integrations/{GitHub}/policy',
    sign: 'of 5 allowed',
    title: 'Rules of an integration',
  },
  { path: '/console/integrations/{Jira}/edit', sign: 'Save', title: 'Edit an integration' },
  { path: '/console', sign: 'Look at it', title: 'The first steps', isFirst: true },
  { path: '/console', sign: 'Needs attention', title: 'Home' },
  { path: '/console/connections', sign: 'Needs you', title: 'My connections' },
  { path: '/console/connections?connect={Jira}', sign: 'API key', title: 'Connect an account' },
  { path: '/console/applications', sign: 'Nightly report', title: 'Applications' },
  {
    path: '/console/applications/new?client=cursor',
    sign: 'Add application',
    title: 'Add an application',
    isStill: true,
  },
  {
    path: '/console/applications/{Cursor}',
    sign: 'A client has called',
    title: 'Connect a client',
  },
  {
    path: '/console/applications/{Cursor}?tab=integrations',
    sign: 'Detach',
    title: 'The integrations of an application',
  },
  {
    path: '/console/applications/{Cursor}?tab=sessions',
    sign: 'Closed by its client',
    title: 'The sessions of an application',
  },
  {
    path: '/console/applications/{Nightly report}?tab=settings',
    sign: 'Replace',
    title: 'The settings of an application',
  },
  {
    path: '/console/applications/{Cursor}?tab=history',
    sign: 'Changed rules of an application',
    withoutPicture: 'It is like that of an integration.',
  },
  {
    path: '/console/applications/{Cursor}/integrations/{GitHub}/policy',
    sign: '3 of 5 allowed',
    title: 'Rules of an application for an integration',
  },
  {
    path: '/console/applications/{Not attached yet}',
    sign: 'Attach an integration',
    withoutPicture: 'It has one button.',
  },
  { path: '/console/access', sign: 'Docs search', title: 'Access' },
  {
    path: '/console/access?focus={Cursor}',
    sign: 'An application with 4 integrations.',
    title: 'Who may use what',
  },
  {
    path: '/console/access?focus={Cursor}&other={GitHub}&tried=true&only=true',
    sign: 'would lose it',
    title: 'What a change would do',
  },
  { path: '/console/access?view=table', sign: 'Not attached', title: 'Access as a table' },
  { path: '/console/activity', sign: 'Open, in use', title: 'Activity' },
  {
    path: '/console/activity?application={Cursor}&state=closed',
    sign: 'Closed by its client',
    withoutPicture: 'It is Activity with fewer rows.',
  },
  { path: '/console/activity/log?kind=call', sign: 'create_issue', title: 'The log' },
  { path: '/console/activity/usage', sign: 'Failed upstream', title: 'Usage' },
  {
    path: '/console/activity/usage?span=hour&rows=tool',
    sign: 'these are whole hours',
    withoutPicture: 'It is Usage with other rows.',
  },
  {
    path: '/console/activity/usage?from=2026-01-01T00:00Z&to=2026-01-02T00:00Z&rows=outcome',
    sign: 'No call of these ended',
    withoutPicture: 'It has a sentence.',
  },
  { path: '/console/tokens', sign: 'Deployments of the shop', title: 'My tokens' },
  { path: '/console/people', sign: 'Li Wei', title: 'People' },
  { path: '/console/groups', sign: 'Sales', title: 'Groups' },
  { path: '/console/groups/{Platform}', sign: 'Li Wei', title: 'A group' },
  {
    path: '/console/groups/{Sales}',
    sign: 'cn=sales',
    title: 'A group of the identity provider',
  },
  {
    path: '/console/playground',
    sign: 'to see what you can call',
    withoutPicture: 'It has two fields before something is chosen.',
  },
  {
    path: '/console/playground?application={Cursor}&integration={GitHub}&name=echo',
    sign: 'Call it',
    title: 'Playground',
  },
  { path: '/console/settings', sign: 'GATEHOUSE_RATE_LIMIT', title: 'Settings' },
];
