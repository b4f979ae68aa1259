import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router';
import { Failed } from './shell/failed.tsx';
import { NotFound } from './shell/not-found.tsx';
import { Shell } from './shell/shell.tsx';
import { connectionsSearch } from './views/connections/search.ts';
import { integrationSearch, integrationsSearch } from './views/integrations/search.ts';

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound });
const under = { getParentRoute: () => root } as const;

const home = createRoute({
  ...under,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/integrations', replace: true });
  },
});
// Each view is a file of its own that is loaded when it is opened.
const integrations = createRoute({
  ...under,
  path: '/integrations',
  validateSearch: integrationsSearch,
  component: lazyRouteComponent(() => import('./views/integrations/list.tsx'), 'Integrations'),
});
const newIntegration = createRoute({
  ...under,
  path: '/integrations/new',
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
const connections = createRoute({
  ...under,
  path: '/connections',
  validateSearch: connectionsSearch,
  component: lazyRouteComponent(() => import('./views/connections/list.tsx'), 'Connections'),
});

export const router = createRouter({
  basepath: '/console',
  routeTree: root.addChildren([
    home,
    integrations,
    newIntegration,
    integration,
    editIntegration,
    connections,
  ]),
  defaultPreload: 'intent',
  defaultErrorComponent: Failed,
  defaultNotFoundComponent: NotFound,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
