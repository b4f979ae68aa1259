import {
  createIntegrationBodySchema,
  knownServers,
  limits,
  type ParsedCreateIntegrationBody,
} from '@gatehouse/contract';
import type { AuthMode, DiscoverIntegrationResponse, Integration } from '@gatehouse/sdk';
import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { FormProvider, useForm } from 'react-hook-form';
import * as z from 'zod';
import { useBegunForm } from '../../api/begun-forms.ts';
import { gatehouse } from '../../api/gatehouse.ts';
import { showAtFields } from '../../api/problems.ts';
import { say, sayProblem } from '../../components/announcements.ts';
import { Button } from '../../components/button.tsx';
import { FormProblem } from '../../components/problem.tsx';
import { ClientFields, needsClient } from './client-fields.tsx';
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
  client?: { clientId: string; clientSecret: string } | undefined;
}

interface Created {
  body: ParsedCreateIntegrationBody;
  client?: { clientId: string; clientSecret: string } | undefined;
}

const formSchema: z.ZodType<Created, CreateValues> = z.object({
  body: createIntegrationBodySchema,
  client: z
    .object({
      clientId: z.string().min(1, 'Enter the client id.').max(limits.clientId),
      clientSecret: z.string().max(limits.credential),
    })
    .optional(),
});

/** The fields of the form by those of the body. */
const FIELDS = {
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
    resolver: zodResolver(formSchema),
    shouldUnregister: true,
    defaultValues: { body: integration ?? { name: nameAt(url), url, authMode: 'none' } },
  });
  const { handleSubmit, watch, setError, formState } = form;
  useBegunForm(formState.isDirty);
  const create = useCreate(url, found, onCreated);
  const submit = handleSubmit((values) =>
    create.mutate(values, {
      onError: (error) => {
        showAtFields(error, FIELDS, setError);
      },
    }),
  );
  const isClientNeeded = watch('body.authMode') === 'oauth' && needsClient(discovery);
  return (
    <FormProvider {...form}>
      <form noValidate onSubmit={submit} className="grid gap-5">
        <Found url={url} found={found} />
        {create.error !== null && <FormProblem error={create.error} />}
        <IntegrationFields />
        {isClientNeeded && <ClientFields />}
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

function nameAt(url: string): string {
  return knownServers.find((known) => known.url === url)?.name ?? new URL(url).host;
}

function useCreate(
  url: string,
  { discovery, integration: suggested }: DiscoverIntegrationResponse,
  onCreated: (integration: Integration) => unknown,
) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ body, client }: Created) => {
      const oauth = body.authMode === 'oauth' ? suggested?.oauth : undefined;
      const { integration } = await gatehouse.integrations.create({ ...body, url, oauth });
      return { integration, client };
    },
    onSuccess: async ({ integration, client }) => {
      const { id, name } = integration;
      await onCreated(integration);
      say(`${name} is added.`);
      if (client !== undefined) {
        // The integration exists: without its client it says itself what is missing.
        await gatehouse
          .request('PUT', '/integrations/:id/oauth', {
            params: { id },
            body: {
              provider: discovery.provider ?? name,
              issuer: discovery.issuer ?? '',
              scopes: discovery.scopes,
              clientId: client.clientId,
              ...(client.clientSecret && { clientSecret: client.clientSecret }),
            },
          })
          .catch((error) => sayProblem('The client was not stored.', error));
      }
      await queries.invalidateQueries({ queryKey: ['integrations'] });
    },
  });
}
