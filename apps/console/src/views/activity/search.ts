import { sessionStateLabels } from '@gatehouse/contract';
import type { SessionsFilter } from '@gatehouse/sdk';
import * as z from 'zod/mini';
import { keysOf } from '../../api/keys-of.ts';
import { optional } from '../search-fields.ts';
import { kindLabels } from './labels.ts';

/** What a URL says of the sessions. */
export const sessionsSearch = z.object({
  application: optional(z.guid()),
  integration: optional(z.guid()),
  person: optional(z.guid()),
  state: optional(z.enum(keysOf(sessionStateLabels))),
  kind: optional(z.enum(keysOf(kindLabels))),
  sort: optional(z.string()),
  /** Whether it is asked to end all of these. */
  end: optional(z.literal(true)),
});

export type SessionsSearch = z.output<typeof sessionsSearch>;

/** As the API takes it. @param isAdmin members find their own sessions alone, and cannot choose a person */
export function filterOf(search: SessionsSearch, isAdmin: boolean): SessionsFilter {
  const { application, integration, person, state, kind } = search;
  const userId = isAdmin ? person : undefined;
  return { applicationId: application, integrationId: integration, userId, state, kind };
}

export function isFiltered(filter: SessionsFilter): boolean {
  return Object.values(filter).some((value) => value !== undefined);
}
