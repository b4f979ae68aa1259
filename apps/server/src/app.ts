import { buildOpenApiDocument, contract } from '@gatehouse/contract';
import { initServer } from '@ts-rest/express';
import { type Express, Router } from 'express';
import {
  type AuthorizationServer,
  authorizationPaths,
} from './authorization-server/authorization-server.ts';
import { handleTemporaryFailure } from './authorization-server/oauth-errors.ts';
import { protocolPaths } from './authorization-server/router.ts';
import type { ConnectPagesDeps } from './connect/deps.ts';
import { connectPagesRouter, connectPaths } from './connect/router.ts';
import type { BrowserRequestDeps } from './console/browser-requests.ts';
import { consoleRouter } from './console/router.ts';
import { startRequest } from './http/context.ts';
import {
  bindContract,
  createExpress,
  type ExpressOptions,
  escapeMalformedSegments,
} from './http/express-adapter.ts';
import { handleError } from './http/handle-error.ts';
import { type HealthDeps, healthRouter } from './http/health.ts';
import { checkHostAndOrigin } from './http/host-and-origin.ts';
import { methodNotAllowed, notFound } from './http/not-found.ts';
import { accessLog, requestMetrics, traceRequests } from './http/observe-requests.ts';
import { handlePageError } from './http/pages/send-page.ts';
import { countStrangers, type Strangers } from './http/strangers.ts';
import type { Metrics } from './platform/metrics.ts';
import type { Tracing } from './platform/tracing.ts';
import { accessGraphRouter } from './resources/access-graph/router.ts';
import { applicationsRouter } from './resources/applications/router.ts';
import { auditEventsRouter } from './resources/audit-events/router.ts';
import { connectionsRouter } from './resources/connections/router.ts';
import { credentialsRouter } from './resources/credentials/router.ts';
import { grantsRouter } from './resources/grants/router.ts';
import { groupsRouter } from './resources/groups/router.ts';
import { installationRouter } from './resources/installation/router.ts';
import { integrationsRouter } from './resources/integrations/router.ts';
import { listingsRouter } from './resources/listings/router.ts';
import { meRouter } from './resources/me/router.ts';
import { membersRouter } from './resources/members/router.ts';
import { organizationRouter } from './resources/organization/router.ts';
import { overviewRouter } from './resources/overview/router.ts';
import type { RouterDeps } from './resources/router-deps.ts';
import { sessionsRouter } from './resources/sessions/router.ts';
import { tokensRouter } from './resources/tokens/router.ts';
import { toolsRouter } from './resources/tools/router.ts';
import { usageRouter } from './resources/usage/router.ts';
import type { SignInDeps } from './sign-in/deps.ts';
import type { ExternalSignIn } from './sign-in/external/external-page.ts';
import { signInPaths, signInRouter } from './sign-in/router.ts';

export interface AppOptions extends ExpressOptions {
  readonly deps: RouterDeps;
  readonly authorizationServer: AuthorizationServer;
  readonly signIn: SignInDeps;
  readonly connect: ConnectPagesDeps;
  readonly console: BrowserRequestDeps;
  /** Undefined where people only sign in with a password. */
  readonly externalSignIn: ExternalSignIn | undefined;
  readonly health: HealthDeps;
  /** Undefined where the limits are off. */
  readonly strangers: Strangers | undefined;
  readonly version: string;
  readonly metrics: Metrics;
  /** Undefined where nothing collects traces. */
  readonly tracing: Tracing | undefined;
}

/** Everything but the gateway: health, metrics, the management API under `/api/v1`, and the pages. */
export function createApp(options: AppOptions): Express {
  const app = createExpress(options);
  app.use(startRequest, accessLog(options.log), requestMetrics(options.metrics));
  app.use(escapeMalformedSegments);
  if (options.tracing !== undefined) app.use(traceRequests(options.tracing));
  if (options.strangers !== undefined) app.use(countStrangers(options.strangers));
  app.use(healthRouter(options.health));
  app.use(options.authorizationServer.protocol);
  app.use(checkHostAndOrigin(options.hostAndOrigin));
  app.use('/api/v1', apiRouter(options));
  const { publicUrl } = options.deps;
  app.use(
    signInRouter(options.signIn, options.externalSignIn),
    connectPagesRouter(options.connect),
    consoleRouter(options.console),
    ...options.authorizationServer.pages,
  );
  app.use(notFound);
  const pagePaths = [...signInPaths, ...connectPaths, ...authorizationPaths];
  app.use([...protocolPaths], handleTemporaryFailure, handleError(options.log, publicUrl));
  app.use(pagePaths, handlePageError(options.log, publicUrl));
  app.use(handleError(options.log, publicUrl));
  return app;
}

function apiRouter(options: AppOptions): Router {
  const { deps } = options;
  const router = Router({ strict: true, caseSensitive: true });
  bindContract(
    router,
    {
      integrations: integrationsRouter(deps),
      tools: toolsRouter(deps),
      listings: listingsRouter(deps),
      connections: connectionsRouter(deps),
      // First: its literal path must be matched before /applications/:id.
      applications: { ...accessGraphRouter(deps), ...applicationsRouter(deps) },
      credentials: credentialsRouter(deps),
      sessions: sessionsRouter(deps),
      me: meRouter(deps),
      organization: organizationRouter(deps),
      tokens: tokensRouter(deps),
      members: membersRouter(deps),
      groups: groupsRouter(deps),
      grants: grantsRouter(deps),
      overview: overviewRouter(deps),
      auditEvents: auditEventsRouter(deps),
      usage: usageRouter(deps),
      installation: installationRouter(deps),
      openapi: openapiRouter(options),
    },
    options,
  );
  router.use(methodNotAllowed);
  return router;
}

function openapiRouter({ deps, version }: AppOptions) {
  const serverUrl = `${deps.publicUrl}/api/v1`;
  const document = buildOpenApiDocument({ serverUrl, version });
  return initServer().router(contract.openapi, {
    get: async () => ({ status: 200, body: document }),
  });
}
