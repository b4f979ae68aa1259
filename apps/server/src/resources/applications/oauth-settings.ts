import type { UpdateApplicationOauthBody } from '@gatehouse/contract';
import type { Application } from '../../generated/prisma/client.ts';
import { ProblemError } from '../../platform/problem-error.ts';
import type { ApplicationOauthColumns } from './repository.ts';

export function oauthOf(application: Application): ApplicationOauthColumns {
  const { clientType, redirectUris, pkceRequired, scopes, allowedResources } = application;
  return { clientType, redirectUris, pkceRequired, scopes, allowedResources };
}

/** The settings after a PATCH: absent fields stay as they are. */
export function mergeOauth(
  before: ApplicationOauthColumns,
  body: UpdateApplicationOauthBody,
): ApplicationOauthColumns {
  return {
    clientType: body.type ?? before.clientType,
    redirectUris: body.redirectUris ?? before.redirectUris,
    pkceRequired: body.pkceRequired ?? before.pkceRequired,
    scopes: body.scopes ?? before.scopes,
    allowedResources: body.allowedResources ?? before.allowedResources,
  };
}

/** @throws ProblemError `validation_failed` for a public client without a redirect URI */
export function requireRedirectUri({ clientType, redirectUris }: ApplicationOauthColumns): void {
  if (clientType === 'confidential' || redirectUris.length > 0) return;
  const message = 'A public client needs at least one redirect URI.';
  throw new ProblemError('validation_failed', message, {
    errors: [{ pointer: '/redirectUris', code: 'invalid_value', message }],
  });
}
