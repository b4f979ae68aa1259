import {
  authModeLabels,
  createIntegrationBodySchema,
  knownServers,
  type ParsedCreateIntegrationBody,
} from '@gatehouse/contract';
import type {
  AuthMode,
  DiscoverIntegrationResponse,
  Discovery,
  Integration,
  IntegrationOauthInput,
} from '@gatehouse/sdk';
import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { FormProvider, useForm } from 'react-hook-form';
import * as z from 'zod';
import { useBegunForm } from '../../api/begun-forms.ts';
import { gatehouse } from '../../api/gatehouse.ts';
import { keysOf } from '../../api/keys-of.ts';
import { showAtFields } from '../../api/problems.ts';
import { say } from '../../components/announcements.ts';
import { Button } from '../../components/button.tsx';
import { FormProblem } from '../../components/problem.tsx';
import { useStillHere } from '../use-still-here.ts';
import { Found } from './found.tsx';
import { IntegrationFields } from './integration-fields.tsx';

/** What the form holds; the types of forms cannot name a recursive schema. */
export interface CreateValues {
  body: {
    name: string;
    url: string;
    authMode?: AuthMode | undefined;
    serverToken?: string | undefined;
    credentialSchema?: unknown;
  };
}

export interface Created {
  body: ParsedCreateIntegrationBody;
}

export const createFormSchema: z.ZodType<Created, CreateValues> = z.object({
  body: createIntegrationBodySchema,
});

/** The fields of the form by those of the body. */
export const CREATE_FIELDS = {
  name: 'body.name',
  serverToken: 'body.serverToken',
  credentialSchema: 'body.credentialSchema',
} as const;

interface CreateFormProps {
  readonly url: string;
  readonly found: DiscoverIntegrationResponse;
  readonly onOtherUrl: () => void;
  readonly onCreated: (integration: Integration) => unknown;
}

/** What was found at a URL, and what only the admin knows. */
export function CreateForm({ url, found, onOtherUrl, onCreated }: CreateFormProps) {
  const { discovery, integration } = found;
  const form = useForm<CreateValues, unknown, Created>({
    resolver: zodResolver(createFormSchema),
    shouldUnregister: true,
    defaultValues: { body: integration ?? knownAt(url) },
  });
  const { register, handleSubmit, watch, setError, formState } = form;
  useBegunForm(formState.isDirty);
  const isClientNeeded = watch('body.authMode') === 'oauth' && needsClient(discovery);
  const navigate = useNavigate();
  const create = useCreate(url, found, (created) => {
    if (!isClientNeeded) return onCreated(created);
    return navigate({ to: '/integrations/$id', params: created, search: { client: true } });
  });
  const submit = handleSubmit((values) =>
    create.mutate(values, {
      onError: (error) => {
        showAtFields(error, CREATE_FIELDS, setError);
      },
    }),
  );
  return (
    <FormProvider {...form}>
      <form noValidate onSubmit={submit} className="grid gap-5">
        <Found url={url} found={found} />
        {create.error !== null && <FormProblem error={create.error} />}
        <input type="hidden" {...register('body.url')} />
        <IntegrationFields modes={keysOf(authModeLabels)} />
        {isClientNeeded && (
          <p className="text-ink-2">
            The provider does not register clients automatically: once the integration is added, you
            see the redirect URI with which you make one there, and enter it.
          </p>
        )}
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={onOtherUrl}>Another URL</Button>
          <Button look="primary" type="submit" isBusy={create.isPending}>
            {create.isPending ? 'Adding…' : 'Add integration'}
          </Button>
        </div>
      </form>
    </FormProvider>
  );
}

/** Where nothing was found: what is known of the server. */
function knownAt(url: string): CreateValues['body'] {
  const known = knownServers.find((each) => each.url === url);
  return { name: known?.name ?? new URL(url).host, url, authMode: known?.authMode ?? 'none' };
}

/** Whether the authorization server was found, and takes only clients that were made there by hand. */
function needsClient({ issuer, registration }: Discovery): boolean {
  return issuer !== null && registration.every((way) => way === 'static');
}

function useCreate(
  url: string,
  { discovery, integration: suggested }: DiscoverIntegrationResponse,
  onCreated: (integration: Integration) => unknown,
) {
  const queries = useQueryClient();
  const isStillHere = useStillHere();
  return useMutation({
    mutationFn: ({ body }: Created) => {
      const oauth = body.authMode === 'oauth' ? oauthOf(discovery, suggested?.oauth) : undefined;
      return gatehouse.integrations.create({ ...body, url, oauth });
    },
    onSuccess: async ({ integration }) => {
      if (isStillHere()) await onCreated(integration);
      say(`${integration.name} is added.`);
      await queries.invalidateQueries({ queryKey: ['integrations'] });
    },
  });
}

/** A client that is entered later is of the issuer that was found now. */
function oauthOf(discovery: Discovery, suggested: IntegrationOauthInput | undefined) {
  const { issuer, scopes } = discovery;
  return issuer !== null && needsClient(discovery) ? { issuer, scopes, ...suggested } : suggested;
}
