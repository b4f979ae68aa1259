import {
  type IntegrationPolicy,
  type IntegrationPolicyRules,
  limits,
  type Policy,
  policyReferenceMessages,
  policyReferencesOf,
  problemCodes,
  type WhatIfChange,
} from '@gatehouse/contract';
import type { PersonCaller } from '../../../identity/caller.ts';
import type { Db } from '../../../platform/database/store.ts';
import { ProblemError } from '../../../platform/problem-error.ts';
import { findAttachmentPolicy } from '../../applications/policy-repository.ts';
import { requireActive } from '../../applications/rules.ts';
import { findIntegrationPolicy } from '../../integrations/policy-repository.ts';
import { requireActive as requireActiveIntegration } from '../../integrations/rules.ts';
import { findReferenceErrors } from '../../policy-references.ts';
import { applyMember } from './apply-member.ts';
import { Draft } from './draft.ts';
import type { NamedRows } from './named-rows.ts';
import { keyOfPair, type Pair } from './pair.ts';
import { refuseChange } from './refusals.ts';

/** Applies one change after another. */
export class Changes {
  readonly draft = new Draft();
  readonly #db: Db;
  readonly #actor: PersonCaller;
  readonly #rows: NamedRows;

  constructor(db: Db, actor: PersonCaller, rows: NamedRows) {
    this.#db = db;
    this.#actor = actor;
    this.#rows = rows;
  }

  /** @throws ProblemError `validation_failed` with what the operation of the change would refuse, at its index */
  async apply(change: WhatIfChange, index: number): Promise<void> {
    try {
      await this.#apply(change);
    } catch (error) {
      if (!(error instanceof ProblemError) || problemCodes[error.code].status >= 500) throw error;
      const { code, message, errors } = error;
      refuseChange(index, errors.length > 0 ? errors : [{ code, message }]);
    }
  }

  async #apply(change: WhatIfChange): Promise<void> {
    switch (change.kind) {
      case 'attach':
        return this.#attach(change);
      case 'detach':
        return this.#detach(change);
      case 'attachment_policy':
        return this.#setAttachmentPolicy(change, change.policy ?? {});
      case 'integration_policy':
        return this.#setIntegrationPolicy(change.integrationId, change.policy ?? {});
      case 'archive':
      case 'restore':
        return this.#setArchived(change, change.kind === 'archive');
      case 'member':
        return applyMember(this.draft, this.#rows, this.#actor, change);
    }
  }

  #attach(pair: Pair): void {
    const application = this.#requireApplication(pair.applicationId);
    const integration = this.#requireIntegration(pair.integrationId);
    requireActive(application);
    if (this.#isAttached(pair)) return;
    requireActiveIntegration(integration);
    if (this.#countAttached(pair.applicationId) >= limits.attachedIntegrations) {
      throw new ProblemError(
        'attachment_limit_reached',
        `An application can have at most ${limits.attachedIntegrations} attached integrations.`,
      );
    }
    this.draft.attached.set(keyOfPair(pair), true);
    this.draft.attachmentPolicies.set(keyOfPair(pair), {});
  }

  #detach(pair: Pair): void {
    const application = this.#requireApplication(pair.applicationId);
    this.#requireIntegration(pair.integrationId);
    requireActive(application);
    if (!this.#isAttached(pair)) return;
    this.draft.attached.set(keyOfPair(pair), false);
    this.draft.attachmentPolicies.set(keyOfPair(pair), {});
  }

  async #setAttachmentPolicy(pair: Pair, policy: Policy): Promise<void> {
    const { applicationId, integrationId } = pair;
    const application = this.#requireApplication(applicationId);
    this.#requireIntegration(integrationId);
    requireActive(application);
    if (!this.#isAttached(pair)) {
      throw new ProblemError('not_found', 'The integration is not attached to the application.');
    }
    const stored = await findAttachmentPolicy(this.#db, applicationId, integrationId);
    const before = this.draft.attachmentPolicies.get(keyOfPair(pair)) ?? stored?.rules;
    await this.#requireReferences(before, policy);
    this.draft.attachmentPolicies.set(keyOfPair(pair), policy);
  }

  async #setIntegrationPolicy(id: string, policy: IntegrationPolicy): Promise<void> {
    requireActiveIntegration(this.#requireIntegration(id));
    const before =
      this.draft.integrationPolicies.get(id) ?? (await findIntegrationPolicy(this.#db, id));
    await this.#requireReferences(before, policy);
    this.draft.integrationPolicies.set(id, policy);
  }

  /** A member that an earlier change removes cannot be named newly either. */
  async #requireReferences(before: unknown, after: IntegrationPolicyRules): Promise<void> {
    const found = await findReferenceErrors(this.#db, this.#actor, before, after);
    const text = JSON.stringify(before ?? {});
    const removed = policyReferencesOf(after)
      .filter(({ id }) => this.draft.people.get(id) === null && !text.includes(id))
      .map(({ pointer }) => ({
        pointer,
        code: 'not_found',
        message: policyReferenceMessages.user,
      }));
    const errors = [...found, ...removed].map((error) => ({
      ...error,
      pointer: `/policy${error.pointer}`,
    }));
    if (errors.length === 0) return;
    throw new ProblemError('validation_failed', 'The rules name what they cannot name.', {
      errors,
    });
  }

  #setArchived(
    ids: {
      readonly applicationId?: string | undefined;
      readonly integrationId?: string | undefined;
    },
    isArchived: boolean,
  ): void {
    if (ids.applicationId !== undefined) this.#requireApplication(ids.applicationId);
    if (ids.integrationId !== undefined) this.#requireIntegration(ids.integrationId);
    this.draft.archived.set(ids.applicationId ?? ids.integrationId ?? '', isArchived);
  }

  #requireApplication(id: string) {
    const row = this.#rows.applications.get(id);
    if (row) return this.draft.archivedAt(row);
    throw new ProblemError('not_found', policyReferenceMessages.application);
  }

  #requireIntegration(id: string) {
    const row = this.#rows.integrations.get(id);
    if (row) return this.draft.archivedAt(row);
    throw new ProblemError('not_found', 'There is no such integration.');
  }

  #isAttached(pair: Pair): boolean {
    const key = keyOfPair(pair);
    return this.draft.attached.get(key) ?? this.#rows.attached.has(key);
  }

  #countAttached(applicationId: string): number {
    let count = this.#rows.attachedCounts.get(applicationId) ?? 0;
    for (const [key, isAttached] of this.draft.attached) {
      if (!key.startsWith(`${applicationId} `) || isAttached === this.#rows.attached.has(key))
        continue;
      count += isAttached ? 1 : -1;
    }
    return count;
  }
}
