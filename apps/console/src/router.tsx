import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
} from '@tanstack/react-router';
import { Root } from './root.tsx';
import { Failed } from './shell/failed.tsx';
import { NotFound } from './shell/not-found.tsx';
import { accessSearch } from './views/access/search.ts';
import { sessionsSearch } from './views/activity/search.ts';
import {
  applicationSearch,
  applicationsSearch,
  newApplicationSearch,
} from './views/applications/search.ts';
import { connectionsSearch } from './views/connections/search.ts';
import { groupSearch, groupsSearch } from './views/groups/search.ts';
import {
  integrationSearch,
  integrationsSearch,
  newIntegrationSearch,
} from './views/integrations/search.ts';
import { logSearch } from './views/log/search.ts';
import { peopleSearch } from './views/people/search.ts';
import { playgroundSearch } from './views/playground/search.ts';
import { attachmentPolicySearch, integrationPolicySearch } from './views/policy/search.ts';
import { tokensSearch } from './views/tokens/search.ts';
import { usageSearch } from './views/usage/search.ts';

const root = createRootRoute({ component: Root, notFoundComponent: NotFound });
const under = { getParentRoute: () => root } as const;

// Each view is a separate file that is loaded when it is opened.
const home = createRoute({
  ...under,
  path: '/',
  component: lazyRouteComponent(() => import('./views/home/home.tsx'), 'Home'),
});
const integrations = createRoute({
  ...under,
  path: '/integrations',
  validateSearch: integrationsSearch,
  component: lazyRouteComponent(() => import('./views/integrations/list.tsx'), 'Integrations'),
});
const newIntegration = createRoute({
  ...under,
  path: '/integrations/new',
  validateSearch: newIntegrationSearch,
  component: lazyRouteComponent(() => import('./views/integrations/new.tsx'), 'NewIntegration'),
});
const integration = createRoute({
  ...under,
  path: '/integrations/$id',
  validateSearch: integrationSearch,
  component: lazyRouteComponent(
    () => import('./views/integrations/detail.tsx'),
    'IntegrationDetail',
  ),
});
const editIntegration = createRoute({
  ...under,
  path: '/integrations/$id/edit',
  component: lazyRouteComponent(() => import('./views/integrations/edit.tsx'), 'EditIntegration'),
});
const integrationPolicy = createRoute({
  ...under,
  path: '/integrations/$id/policy',
  validateSearch: integrationPolicySearch,
  component: lazyRouteComponent(
    () => import('./views/policy/integration-policy.tsx'),
    'EditIntegrationPolicy',
  ),
});
const connections = createRoute({
  ...under,
  path: '/connections',
  validateSearch: connectionsSearch,
  component: lazyRouteComponent(() => import('./views/connections/list.tsx'), 'Connections'),
});
const tokens = createRoute({
  ...under,
  path: '/tokens',
  validateSearch: tokensSearch,
  component: lazyRouteComponent(() => import('./views/tokens/list.tsx'), 'Tokens'),
});
const people = createRoute({
  ...under,
  path: '/people',
  validateSearch: peopleSearch,
  component: lazyRouteComponent(() => import('./views/people/list.tsx'), 'People'),
});
const groups = createRoute({
  ...under,
  path: '/groups',
  validateSearch: groupsSearch,
  component: lazyRouteComponent(() => import('./views/groups/list.tsx'), 'Groups'),
});
const group = createRoute({
  ...under,
  path: '/groups/$id',
  validateSearch: groupSearch,
  component: lazyRouteComponent(() => import('./views/groups/detail.tsx'), 'GroupDetail'),
});
const settings = createRoute({
  ...under,
  path: '/settings',
  component: lazyRouteComponent(() => import('./views/settings/view.tsx'), 'Settings'),
});

const access = createRoute({
  ...under,
  path: '/access',
  validateSearch: accessSearch,
  component: lazyRouteComponent(() => import('./views/access/access.tsx'), 'Access'),
});
const applications = createRoute({
  ...under,
  path: '/applications',
  validateSearch: applicationsSearch,
  component: lazyRouteComponent(() => import('./views/applications/list.tsx'), 'Applications'),
});
const newApplication = createRoute({
  ...under,
  path: '/applications/new',
  validateSearch: newApplicationSearch,
  component: lazyRouteComponent(() => import('./views/applications/new.tsx'), 'NewApplication'),
});
const application = createRoute({
  ...under,
  path: '/applications/$id',
  validateSearch: applicationSearch,
  component: lazyRouteComponent(
    () => import('./views/applications/detail.tsx'),
    'ApplicationDetail',
  ),
});
const attachmentPolicy = createRoute({
  ...under,
  path: '/applications/$id/integrations/$integrationId/policy',
  validateSearch: attachmentPolicySearch,
  component: lazyRouteComponent(
    () => import('./views/policy/attachment-policy.tsx'),
    'EditAttachmentPolicy',
  ),
});

// Each child is a tab with its own search parameters.
const activity = createRoute({ ...under, path: '/activity' });
const sessions = createRoute({
  getParentRoute: () => activity,
  path: '/',
  validateSearch: sessionsSearch,
  component: lazyRouteComponent(() => import('./views/activity/sessions.tsx'), 'Sessions'),
});
const log = createRoute({
  getParentRoute: () => activity,
  path: '/log',
  validateSearch: logSearch,
  component: lazyRouteComponent(() => import('./views/log/log.tsx'), 'Log'),
});
const usage = createRoute({
  getParentRoute: () => activity,
  path: '/usage',
  validateSearch: usageSearch,
  component: lazyRouteComponent(() => import('./views/usage/usage.tsx'), 'Usage'),
});
const playground = createRoute({
  ...under,
  path: '/playground',
  validateSearch: playgroundSearch,
  component: lazyRouteComponent(() => import('./views/playground/playground.tsx'), 'Playground'),
});

const routeTree = root.addChildren([
  home,
  integrations,
  newIntegration,
  integration,
  editIntegration,
  integrationPolicy,
  connections,
  access,
  activity.addChildren([sessions, log, usage]),
  applications,
  newApplication,
  application,
  attachmentPolicy,
  playground,
  tokens,
  people,
  groups,
  group,
  settings,
]);

// Without a link and a type: a build for use does not hold it.
if (import.meta.env.MODE !== 'production') {
  const design = createRoute({
    ...under,
    path: '/design',
    component: lazyRouteComponent(() => import('./views/design/design.tsx'), 'Design'),
  });
  root.addChildren([...(routeTree.children ?? []), design]);
}

export const router = createRouter({
  basepath: '/console',
  routeTree,
  defaultPreload: 'intent',
  defaultErrorComponent: Failed,
  defaultNotFoundComponent: NotFound,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
