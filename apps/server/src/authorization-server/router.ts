import { type Request, type RequestHandler, type Response, Router } from 'express';
import type { Provider } from 'oidc-provider';
import { checkRepeatedIdentity, type HostAndOrigin } from '../http/host-and-origin.ts';
import { notAllowed } from '../http/not-found.ts';
import { resourceMetadataOf } from './metadata.ts';

const RESOURCE_METADATA = '/.well-known/oauth-protected-resource';
const RESOURCE_METADATA_PATHS = [RESOURCE_METADATA, `${RESOURCE_METADATA}/*resource`];

/** Endpoints that web pages of any origin may call: they read no cookie. */
const FOR_ANY_ORIGIN = ['/oauth/token', '/oauth/revoke', '/oauth/introspect'];

const REGISTRATION = '/oauth/register';

const METADATA = '/.well-known/oauth-authorization-server';

/** What answers at these paths is for programs: errors are problems. */
export const protocolPaths: readonly string[] = [...FOR_ANY_ORIGIN, REGISTRATION];

export interface ProtocolDeps {
  readonly provider: Provider;
  readonly hostAndOrigin: HostAndOrigin;
  readonly register: readonly RequestHandler[];
  /** Our origin. */
  readonly publicUrl: string;
}

/** The endpoints of OAuth that are for programs, and the metadata by which they are found. */
export function protocolRouter(deps: ProtocolDeps): Router {
  const { provider, hostAndOrigin, register, publicUrl } = deps;
  const router = Router({ strict: true, caseSensitive: true });
  const handle = handlerOf(provider, publicUrl);
  const checkHost: RequestHandler = (req, _res, next) => {
    checkRepeatedIdentity(req.rawHeaders);
    hostAndOrigin.check(req.headers.host, undefined);
    next();
  };
  router.get(RESOURCE_METADATA_PATHS, checkHost, (req, res) => {
    sendMetadata(res, resourceMetadataOf(publicUrl, req.path.slice(RESOURCE_METADATA.length)));
  });
  router.options(RESOURCE_METADATA_PATHS, checkHost, allowAnyOrigin('GET'), sendNothing);
  router.all('/.well-known/openid-configuration', checkHost, (_req, res) => {
    sendMetadata(res, undefined);
  });
  router.post(REGISTRATION, checkHost, allowAnyOrigin('POST'), ...register);
  router.options(REGISTRATION, checkHost, allowAnyOrigin('POST'), sendNothing);
  router.get(METADATA, checkHost, handle);
  router.post([...FOR_ANY_ORIGIN], checkHost, handle);
  router.options([METADATA, ...FOR_ANY_ORIGIN], checkHost, handle);
  router.all([...RESOURCE_METADATA_PATHS, METADATA], () => {
    throw notAllowed(['GET']);
  });
  router.all([...protocolPaths], () => {
    throw notAllowed(['POST']);
  });
  return router;
}

/** The endpoints of OAuth that a person's browser visits. */
export function authorizeRouter({
  provider,
  publicUrl,
}: Pick<ProtocolDeps, 'provider' | 'publicUrl'>): Router {
  const router = Router({ strict: true, caseSensitive: true });
  const paths = ['/oauth/authorize', '/oauth/authorize/:uid'];
  router.get(paths, handlerOf(provider, publicUrl));
  router.all(paths, () => {
    throw notAllowed(['GET']);
  });
  return router;
}

/**
 * Runs oidc-provider, which must not believe what a request says about scheme, host and client address.
 * docs/decisions/authorization-server.md shows the order in which it calls our files for a token request.
 */
function handlerOf(provider: Provider, publicUrl: string): (req: Request, res: Response) => void {
  const handle = provider.callback();
  const { protocol, host } = new URL(publicUrl);
  return (req, res) => {
    req.headers.host = host;
    req.headers['x-forwarded-host'] = host;
    req.headers['x-forwarded-proto'] = protocol.slice(0, -1);
    // What we count by address sees the client's own, also behind a proxy.
    req.headers['x-forwarded-for'] = req.ip;
    void handle(req, res);
  };
}

/** Browsers ask beforehand because of the header MCP-Protocol-Version, which MCP clients send everywhere. */
function allowAnyOrigin(method: 'GET' | 'POST'): RequestHandler {
  return (_req, res, next) => {
    res.setHeader('Access-Control-Allow-Origin', '*');
    res.setHeader('Access-Control-Allow-Methods', method);
    res.setHeader('Access-Control-Allow-Headers', 'Content-Type, MCP-Protocol-Version');
    next();
  };
}

const sendNothing: RequestHandler = (_req, res) => {
  res.status(204).end();
};

function sendMetadata(
  res: Response,
  metadata: Readonly<Record<string, unknown>> | undefined,
): void {
  res.setHeader('Access-Control-Allow-Origin', '*');
  if (metadata === undefined) res.status(404).json({ error: 'not_found' });
  else res.json(metadata);
}
