import type { UpdateApplicationOauthBody } from '@gatehouse/contract';
import type { Application } from '../../generated/prisma/client.ts';
import type { ApplicationOauthColumns } from './repository.ts';

export function oauthOf(application: Application): ApplicationOauthColumns {
  const { clientType, redirectUris, pkceRequired, scopes } = application;
  const { allowedResources, allowDynamicClients } = application;
  return {
    clientType,
    redirectUris,
    pkceRequired,
    scopes,
    allowedResources,
    allowDynamicClients,
  };
}

/** The settings under their names in the API. */
export function eventFieldsOf({ clientType: type, ...columns }: ApplicationOauthColumns) {
  return { type, ...columns };
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
    allowDynamicClients: body.allowDynamicClients ?? before.allowDynamicClients,
  };
}
