import { authModeLabels, isJsonObject } from '@gatehouse/contract';
import type { Integration, UpdateIntegrationBody } from '@gatehouse/sdk';

import { keysOf } from '../../api/keys-of.ts';

/** What the form of an integration holds. Empty texts are what is not set. */
export interface EditValues {
  name: string;
  url: string;
  authMode: string;
  serverToken: string;
  /** A JSON object; the types of forms cannot name a recursive one. */
  credentialSchema: unknown;
  validateEveryMinutes: string;
}

export const editLabels: Readonly<Record<keyof EditValues, string>> = {
  name: 'Name',
  url: 'URL',
  authMode: 'How people authenticate',
  serverToken: 'Token',
  credentialSchema: 'What the credential consists of',
  validateEveryMinutes: 'Validate automatically every',
};

export function valuesOf(integration: Integration): EditValues {
  const { name, url, authMode, credentialSchema, validateEveryMinutes } = integration;
  return {
    name,
    url,
    authMode,
    serverToken: '',
    credentialSchema,
    validateEveryMinutes: validateEveryMinutes?.toString() ?? '',
  };
}

/** Whether two values of the form say the same. */
function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one ?? null) === JSON.stringify(other ?? null);
}

/** The fields of `values` that differ from an integration as it was read. */
export function changedFields(integration: Integration, values: EditValues): (keyof EditValues)[] {
  const before = valuesOf(integration);
  const fields = Object.keys(before) as (keyof EditValues)[];
  return fields.filter((field) => !isSame(before[field], values[field]));
}

/** A body with what a person has changed, and nothing else. */
export function changedBody(integration: Integration, values: EditValues): UpdateIntegrationBody {
  const { validateEveryMinutes: minutes } = values;
  const credentialSchema = isJsonObject(values.credentialSchema) ? values.credentialSchema : null;
  const all: Record<keyof EditValues, UpdateIntegrationBody> = {
    name: { name: values.name },
    url: { url: values.url.trim() },
    authMode: { authMode: keysOf(authModeLabels).find((mode) => mode === values.authMode) },
    serverToken: { serverToken: values.serverToken },
    credentialSchema: { credentialSchema },
    validateEveryMinutes: { validateEveryMinutes: minutes === '' ? null : Number(minutes) },
  };
  return Object.assign({}, ...changedFields(integration, values).map((field) => all[field]));
}
