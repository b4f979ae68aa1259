import type { IntegrationPolicy, Policy } from '@gatehouse/contract';
import type { PolicyRow } from '../../../policy/rules.ts';
import type { Person } from './named-rows.ts';
import { keyOfPair, type Pair } from './pair.ts';

/** What would differ from what is stored, after some changes. */
export class Draft {
  /** By the id of an application or integration. */
  readonly archived = new Map<string, boolean>();
  /** By pair. */
  readonly attached = new Map<string, boolean>();
  readonly attachmentPolicies = new Map<string, Policy>();
  /** By integration. */
  readonly integrationPolicies = new Map<string, IntegrationPolicy>();
  /** By user; null for one that would be no member. */
  readonly people = new Map<string, Person | null>();

  archivedAt<Row extends { readonly id: string; readonly archivedAt: Date | null }>(row: Row): Row {
    const isArchived = this.archived.get(row.id);
    if (isArchived === undefined || isArchived === (row.archivedAt !== null)) return row;
    return { ...row, archivedAt: isArchived ? new Date(0) : null };
  }

  /** The rules of a pair, given those that are stored. */
  rulesOf(pair: Pair, stored: PolicyRow): PolicyRow {
    const attachment = this.attachmentPolicies.get(keyOfPair(pair));
    const integration = this.integrationPolicies.get(pair.integrationId);
    if (attachment === undefined && integration === undefined) return stored;
    const { perApplication = {}, ...integrationRules } = integration ?? {};
    return {
      ...stored,
      ...(integration && {
        integrationRules,
        applicationRules: perApplication[pair.applicationId] ?? null,
      }),
      ...(attachment && { attachmentRules: attachment }),
    };
  }
}
