import { sessionStateLabels } from '@gatehouse/contract';
import type { SessionsFilter } from '@gatehouse/sdk';
import { fieldsOf, flag, id, oneOf, text } from '../../api/fields.ts';
import { keysOf } from '../../api/keys-of.ts';
import { kindLabels } from './labels.ts';

/** What a URL says of the sessions. */
export const sessionsSearch = fieldsOf({
  application: id,
  integration: id,
  person: id,
  state: oneOf(keysOf(sessionStateLabels)),
  kind: oneOf(keysOf(kindLabels)),
  sort: text,
  /** Whether it is asked to end all of these. */
  end: flag,
});

export type SessionsSearch = ReturnType<typeof sessionsSearch>;

/** As the API takes it. @param isAdmin members find their own sessions alone, and cannot choose a person */
export function filterOf(search: SessionsSearch, isAdmin: boolean): SessionsFilter {
  const { application, integration, person, state, kind } = search;
  const userId = isAdmin ? person : undefined;
  return { applicationId: application, integrationId: integration, userId, state, kind };
}

export function isFiltered(filter: SessionsFilter): boolean {
  return Object.values(filter).some((value) => value !== undefined);
}
