import {
  type Aggregate,
  type CallLimits,
  keptLimits,
  type UpdateApplicationOauthBody,
} from '@gatehouse/contract';
import type { Application } from '../../generated/prisma/client.ts';
import type { ClientType } from '../../generated/prisma/enums.ts';

/** The columns of the one URL of an application. */
export type AggregateColumns = Pick<Application, 'aggregateMode' | 'aggregateNameLength'>;

export function aggregateOf({ aggregateMode, aggregateNameLength }: AggregateColumns): Aggregate {
  return { mode: aggregateMode, nameLength: aggregateNameLength };
}

export function aggregateColumnsOf({ mode, nameLength }: Aggregate): AggregateColumns {
  return { aggregateMode: mode, aggregateNameLength: nameLength };
}

/** The columns with the limits of all callers together. */
type LimitColumns = Pick<Application, 'callsPerMinute' | 'concurrentCalls'>;

export function limitsOf({ callsPerMinute, concurrentCalls }: LimitColumns): CallLimits | null {
  return keptLimits({
    ...(callsPerMinute === null ? {} : { perMinute: callsPerMinute }),
    ...(concurrentCalls === null ? {} : { concurrent: concurrentCalls }),
  });
}

export function limitColumnsOf(limits: CallLimits | null): LimitColumns {
  return {
    callsPerMinute: limits?.perMinute ?? null,
    concurrentCalls: limits?.concurrent ?? null,
  };
}

/** The columns with the settings of OAuth. */
export interface ApplicationOauthColumns {
  readonly clientType: ClientType;
  readonly redirectUris: string[];
  readonly pkceRequired: boolean;
  readonly scopes: string[];
  readonly allowedResources: string[];
  readonly allowDynamicClients: boolean;
}

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
