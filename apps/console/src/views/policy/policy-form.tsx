import { type IntegrationPolicyInput, integrationPolicySchema } from '@gatehouse/contract';
import { isApiError, type WhatIfChange } from '@gatehouse/sdk';
import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { type FieldErrors, useForm } from 'react-hook-form';
import * as z from 'zod';
import { useBegunForm } from '../../api/begun-forms.ts';
import { showAtFields } from '../../api/problems.ts';
import { say } from '../../components/announcements.ts';
import { Button } from '../../components/button.tsx';
import { FormProblem } from '../../components/problem.tsx';
import type { Limited } from '../policy-sentences.ts';
import { useStillHere } from '../use-still-here.ts';
import { Meanwhile } from './meanwhile.tsx';
import { changedPlaces, hasRules, tidyAll, withPlaces } from './rules.ts';

const PreviewDialog = lazy(async () => ({
  default: (await import('./preview-dialog.tsx')).PreviewDialog,
}));

/** Rules with the version that a change of them names. */
export interface PolicyRead {
  readonly policy: IntegrationPolicyInput;
  readonly etag: string | undefined;
}

/** The place that has the rules: an integration, or its attachment to an application. */
export interface PolicyTarget {
  /** For sentences: what the rules are of. */
  readonly name: string;
  /** What its limits count together. */
  readonly limited: Limited;
  read(): Promise<PolicyRead>;
  save(policy: IntegrationPolicyInput | null, etag: string | undefined): Promise<unknown>;
  change(policy: IntegrationPolicyInput | null): WhatIfChange;
  /** Back to where the rules are shown. */
  leave(): Promise<unknown>;
}

interface Values {
  policy: IntegrationPolicyInput;
}

/** What the fields get: the rules as they are typed, and as they were read. */
export interface Typed {
  readonly policy: IntegrationPolicyInput;
  readonly before: IntegrationPolicyInput;
  readonly errors: FieldErrors<Values>['policy'];
  readonly onChange: (policy: IntegrationPolicyInput) => void;
}

const FIELDS = {
  roles: 'policy.roles',
  groups: 'policy.groups',
  userIds: 'policy.userIds',
  tools: 'policy.tools',
  prompts: 'policy.prompts',
  resources: 'policy.resources',
  limits: 'policy.limits',
  perApplication: 'policy.perApplication',
} as const;

const formSchema = z.object({ policy: integrationPolicySchema });

interface PolicyFormProps {
  readonly read: PolicyRead;
  readonly target: PolicyTarget;
  readonly children: (typed: Typed) => ReactNode;
}

/** Changes rules as they were read first. What would follow is shown before, and what others saved meanwhile is too. */
export function PolicyForm({ read, target, children }: PolicyFormProps) {
  // The query goes on refreshing; what the form began with does not.
  const [base, setBase] = useState(read);
  const [theirs, setTheirs] = useState<PolicyRead>();
  const [previewed, setPreviewed] = useState<IntegrationPolicyInput | null>();
  const form = useForm<Values, unknown, Values>({
    resolver: zodResolver(formSchema),
    defaultValues: { policy: base.policy },
  });
  const { policy } = form.watch();
  const queries = useQueryClient();
  const isStillHere = useStillHere();
  const save = useMutation({
    mutationFn: (saved: IntegrationPolicyInput | null) => target.save(saved, base.etag),
    onSuccess: async () => {
      await Promise.all(
        ['integrations', 'applications'].map((key) =>
          queries.invalidateQueries({ queryKey: [key] }),
        ),
      );
      say(`The rules of ${target.name} are saved.`);
      if (isStillHere()) await target.leave();
    },
    onError: async (error) => {
      setPreviewed(undefined);
      if (isApiError(error) && error.code === 'precondition_failed') setTheirs(await target.read());
      else showAtFields(error, FIELDS, form.setError);
    },
  });
  const isChanged = changedPlaces(base.policy, policy).length > 0;
  useBegunForm(isChanged && !save.isSuccess);
  const set = (changed: IntegrationPolicyInput) =>
    form.setValue('policy', changed, { shouldValidate: form.formState.isSubmitted });
  const takeOver = (kept: ReturnType<typeof changedPlaces>) => {
    if (theirs === undefined) return;
    setBase(theirs);
    setTheirs(undefined);
    save.reset();
    set(withPlaces(theirs.policy, kept, policy));
  };
  return (
    <form
      noValidate
      onSubmit={form.handleSubmit((values) => setPreviewed(tidyAll(values.policy)))}
      className="grid gap-4"
    >
      {children({
        policy,
        before: base.policy,
        errors: form.formState.errors.policy,
        onChange: set,
      })}
      {theirs !== undefined ? (
        <Meanwhile
          base={base.policy}
          theirs={theirs.policy}
          mine={policy}
          limited={target.limited}
          onContinue={takeOver}
        />
      ) : (
        save.error !== null && <FormProblem error={save.error} />
      )}
      <div className="sticky bottom-0 z-10 flex flex-wrap justify-end gap-2 border-t border-line bg-bg py-3">
        {hasRules(base.policy) && (
          <Button
            look="danger"
            disabled={theirs !== undefined}
            className="mr-auto"
            onClick={() => setPreviewed(null)}
          >
            Remove all rules
          </Button>
        )}
        <Button onClick={() => void target.leave()}>Cancel</Button>
        <Button look="primary" type="submit" disabled={theirs !== undefined || !isChanged}>
          See what changes
        </Button>
      </div>
      {previewed !== undefined && (
        <Suspense fallback={null}>
          <PreviewDialog
            target={target}
            policy={previewed}
            isSaving={save.isPending}
            onSave={() => save.mutate(previewed)}
            onClose={() => setPreviewed(undefined)}
          />
        </Suspense>
      )}
    </form>
  );
}
