import type { Aggregate, AggregateInput, CreateApplicationBody } from '@gatehouse/contract';
import { type Application, isApiError, type UpdateApplicationBody } from '@gatehouse/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { get, type UseFormReturn } from 'react-hook-form';
import { gatehouse } from '../../api/gatehouse.ts';
import { showAtFields } from '../../api/problems.ts';
import { say } from '../../components/announcements.ts';
import { applicationQuery } from './queries.ts';

/** An application with the version that a change of it names. */
export interface ApplicationRead {
  readonly application: Application;
  readonly etag: string | undefined;
}

const CLIENT_FIELDS = ['oauth.redirectUris', 'oauth.allowDynamicClients'] as const;
const ALL_FIELDS = [
  'name',
  'limits',
  'aggregate.mode',
  'aggregate.nameLength',
  ...CLIENT_FIELDS,
] as const;

const FIELDS = {
  name: 'name',
  redirectUris: 'oauth.redirectUris',
  limits: 'limits',
  aggregate: 'aggregate.nameLength',
} as const;

/** What the form changes of an application. */
export interface SettingsValues extends CreateApplicationBody {
  readonly aggregate: Aggregate;
}

/** What the form shows of an application. */
export function valuesOf({ name, oauth, limits, aggregate }: Application): SettingsValues {
  return {
    name,
    oauth: {
      type: oauth?.type === 'confidential' ? 'confidential' : 'public',
      redirectUris: oauth?.redirectUris ?? [],
      allowDynamicClients: oauth?.allowDynamicClients ?? false,
    },
    limits: { perMinute: limits?.perMinute, concurrent: limits?.concurrent },
    aggregate: { ...aggregate, mode: aggregate.mode as Aggregate['mode'] },
  };
}

interface Saving {
  /** As it was read, or as it is after a part of it was saved. */
  readonly base: ApplicationRead;
  readonly setBase: (base: ApplicationRead) => void;
  readonly form: UseFormReturn<SettingsValues>;
}

/** The OAuth client is another resource of the API than name and limits. What has changed is sent, and a part that is saved stays so. */
export function useSaving({ base, setBase, form }: Saving) {
  const queries = useQueryClient();
  const [isPartSaved, setPartSaved] = useState(false);
  const { dirtyFields } = form.formState;
  const save = useMutation({
    mutationFn: async ({ oauth, ...values }: SettingsValues) => {
      setPartSaved(false);
      let saved = base;
      if (dirtyFields.oauth !== undefined) {
        saved = await saveClient(saved, oauth);
        takeOver(form, CLIENT_FIELDS, { saved, sent: { oauth } });
        setBase(saved);
        setPartSaved(true);
      }
      const { name = false, limits = false, aggregate } = dirtyFields;
      if (!name && !limits && aggregate === undefined) return saved;
      return saveApplication(saved, {
        ...(name && { name: values.name }),
        ...(limits && { limits: values.limits }),
        ...(aggregate && { aggregate: changedOf(values.aggregate, aggregate) }),
      });
    },
    onSuccess: (saved, sent) => {
      setBase(saved);
      takeOver(form, ALL_FIELDS, { saved, sent });
      say(`${saved.application.name} is saved.`);
    },
    onError: async (error) => {
      if (!isApiError(error) || error.code !== 'precondition_failed') {
        showAtFields(error, FIELDS, form.setError);
        return;
      }
      const { id } = base.application;
      const theirs = await queries.fetchQuery({ ...applicationQuery(id), staleTime: 0 });
      setBase(theirs);
      form.reset(valuesOf(theirs.application), { keepDirtyValues: true });
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['applications'] }),
  });
  return { save, isPartSaved };
}

/** Shows what was saved. What was typed since it was sent stays, as a change that is not saved yet. */
function takeOver(
  form: Saving['form'],
  fields: readonly (typeof ALL_FIELDS)[number][],
  { saved, sent }: { saved: ApplicationRead; sent: Partial<SettingsValues> },
): void {
  const shown = valuesOf(saved.application);
  for (const field of fields) {
    const typed = form.getValues(field);
    form.resetField(field, { defaultValue: get(shown, field) });
    if (JSON.stringify(typed) === JSON.stringify(get(sent, field))) continue;
    form.setValue(field, typed, { shouldDirty: true });
  }
}

/** What someone else may have changed meanwhile is not sent. */
function changedOf(
  { mode, nameLength }: Aggregate,
  dirty: { readonly mode?: boolean; readonly nameLength?: boolean },
): AggregateInput {
  return { ...(dirty.mode && { mode }), ...(dirty.nameLength && { nameLength }) };
}

async function saveClient(
  { application, etag: ifMatch }: ApplicationRead,
  { redirectUris, allowDynamicClients }: CreateApplicationBody['oauth'],
): Promise<ApplicationRead> {
  const { data, etag } = await gatehouse.applications.oauth
    .update(application.id, { redirectUris, allowDynamicClients }, { ifMatch })
    .withResponse();
  return { application: { ...application, oauth: data.oauth }, etag };
}

async function saveApplication(
  { application, etag: ifMatch }: ApplicationRead,
  changed: UpdateApplicationBody,
): Promise<ApplicationRead> {
  const { data, etag } = await gatehouse.applications
    .update(application.id, changed, { ifMatch })
    .withResponse();
  return { application: data.application, etag };
}
