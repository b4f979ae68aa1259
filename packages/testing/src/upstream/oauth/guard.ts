import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { z } from 'zod';
import type { TokenVerifier, VerifiedToken } from '../../identity-provider/identity-provider.ts';
import type { UpstreamCall, UpstreamOauthOptions } from './options.ts';
import { metadataPath, resourceMetadata } from './resource-metadata.ts';

/** Why a request is refused (RFC 6750, section 3). */
export interface OauthRefusal {
  readonly status: 401 | 403;
  readonly challenge: string;
}

/** A token that was accepted. */
export interface AdmittedToken extends VerifiedToken {
  readonly token: string;
}

/** The OAuth half of an upstream. */
export interface OauthGuard {
  readonly calls: readonly UpstreamCall[];
  /** The metadata, if this is one of its paths. */
  metadataAt(path: string): object | undefined;
  authenticate(headers: IncomingHttpHeaders): AdmittedToken | OauthRefusal;
  /** Refuses a tool that needs a scope which the token lacks, and records every call that is let through. */
  admit(token: AdmittedToken, message: unknown): OauthRefusal | undefined;
}

/** Creates the guard. `url` is that of the endpoint. */
export function createOauthGuard(
  given: TokenVerifier | UpstreamOauthOptions,
  url: string,
): OauthGuard {
  const options = 'provider' in given ? given : { provider: given };
  const { provider, scopes = [], toolScopes = { write_note: 'write' } } = options;
  const named = scopes.length > 0 ? scopes : ['read'];
  const resource = options.resource ?? url;
  const calls: UpstreamCall[] = [];

  const refuse = (
    status: OauthRefusal['status'],
    error: string | undefined,
    scope: readonly string[],
  ): OauthRefusal => {
    const path = metadataPath(options.metadata, url);
    const says = options.challenge ?? ['resource_metadata', 'scope'];
    const fields = [
      ...(error === undefined ? [] : [`error="${error}"`]),
      ...(says.includes('resource_metadata') && path !== undefined
        ? [`resource_metadata="${new URL(path, url).href}"`]
        : []),
      ...(says.includes('scope') ? [`scope="${scope.join(' ')}"`] : []),
    ];
    return { status, challenge: fields.length > 0 ? `Bearer ${fields.join(', ')}` : 'Bearer' };
  };

  return {
    calls,
    metadataAt: (path) => resourceMetadata(path, options, { url, resource, scopes: named }),
    authenticate(headers) {
      const token = /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1];
      if (token === undefined) return refuse(401, undefined, named);
      const verified = provider.verify(token);
      const isForThis = verified?.resources.includes(resource) || verified?.resources.length === 0;
      if (!verified || !isForThis) return refuse(401, 'invalid_token', named);
      const hasScopes = scopes.every((scope) => verified.scopes.includes(scope));
      return hasScopes ? { ...verified, token } : refuse(403, 'insufficient_scope', scopes);
    },
    admit(token, message) {
      const { method, tool } = describe(message);
      const needed = tool === undefined ? undefined : toolScopes[tool];
      if (needed !== undefined && !token.scopes.includes(needed)) {
        return refuse(403, 'insufficient_scope', [...new Set([...scopes, needed])]);
      }
      const { sub, clientId } = token;
      const tokenHash = createHash('sha256').update(token.token).digest('hex');
      calls.push({ method, tool, sub, clientId, tokenHash });
      return undefined;
    },
  };
}

const messageSchema = z.object({
  method: z.string(),
  params: z.object({ name: z.string().optional() }).optional(),
});

function describe(message: unknown): Pick<UpstreamCall, 'method' | 'tool'> {
  const { data } = messageSchema.safeParse(message);
  return {
    method: data?.method,
    tool: data?.method === 'tools/call' ? data.params?.name : undefined,
  };
}
