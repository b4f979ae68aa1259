import type { RequestHandler } from 'express';
import { resourceMetadataUrl, withChallenge } from '../http/challenge.ts';
import { type IdentifyDeps, identify } from '../http/identify.ts';
import { invalidToken } from '../identity/bearer.ts';
import type { Caller } from '../identity/caller.ts';
import { mcpTargetKindOf, resourceOfPath, resourceUriOf } from '../identity/resource.ts';
import type { Db } from '../platform/database/store.ts';
import { ProblemError } from '../platform/problem-error.ts';

export interface ApplicationUrlDeps extends IdentifyDeps {
  readonly db: Db;
  readonly publicUrl: string;
}

/**
 * `/mcp/:applicationId`, the URL of a whole application. It is a protected resource and no MCP endpoint:
 * callers who may use it get the URLs of its integrations.
 */
export function answerApplicationUrl(deps: ApplicationUrlDeps): RequestHandler {
  const { db, publicUrl } = deps;
  return async (req, _res, next) => {
    const resource = mcpTargetKindOf(req.url) && resourceOfPath(req.path);
    if (resource?.kind !== 'application') {
      next();
      return;
    }
    const { applicationId } = resource;
    const metadataUrl = resourceMetadataUrl(publicUrl, req.path);
    try {
      const caller = await identify(req, deps);
      checkAudience(caller, applicationId);
      const integrations = await findProxiedIntegrations(db, caller, applicationId);
      throw integrations.length === 0
        ? nothingHere()
        : leadsTo(publicUrl, applicationId, integrations);
    } catch (error) {
      throw error instanceof ProblemError
        ? withChallenge(error, { metadataUrl, scope: 'mcp' })
        : error;
    }
  };
}

function checkAudience({ audience }: Caller, applicationId: string): void {
  if (audience === undefined) return;
  if (audience.kind === 'management' || audience.applicationId !== applicationId) {
    throw invalidToken();
  }
}

function leadsTo(
  publicUrl: string,
  applicationId: string,
  integrations: readonly { readonly id: string; readonly name: string }[],
): ProblemError {
  const urls = integrations.map(({ id, name }) => {
    const url = resourceUriOf(publicUrl, { kind: 'pair', applicationId, integrationId: id });
    return `${url} (${name})`;
  });
  return new ProblemError(
    'not_found',
    `This is the URL of a whole application, which is no MCP endpoint. Use the URL of one of its integrations: ${urls.join(', ')}.`,
  );
}

function nothingHere(): ProblemError {
  return new ProblemError('not_found', 'There is nothing at this path.');
}

/** The most integrations in one response. */
const PROXIED_SHOWN = 50;

/** Active, proxied integrations of an active application, by name; at most a few. */
async function findProxiedIntegrations(
  db: Db,
  { organizationId }: { readonly organizationId: string },
  applicationId: string,
): Promise<{ id: string; name: string }[]> {
  const rows = await db.attachment.findMany({
    where: {
      applicationId,
      organizationId,
      application: { archivedAt: null },
      integration: { archivedAt: null, category: 'gateway_remote_mcp' },
    },
    select: { integration: { select: { id: true, name: true } } },
    orderBy: { integration: { name: 'asc' } },
    take: PROXIED_SHOWN,
  });
  return rows.map(({ integration }) => integration);
}
