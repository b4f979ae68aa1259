import { limits } from '@gatehouse/contract';
import type { Integration, IntegrationOauthConfig, PutIntegrationOauthBody } from '@gatehouse/sdk';
import { isApiError } from '@gatehouse/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useBegunForm } from '../../api/begun-forms.ts';
import { gatehouse } from '../../api/gatehouse.ts';
import { showAtFields } from '../../api/problems.ts';
import { say } from '../../components/announcements.ts';
import { Button, buttonClass } from '../../components/button.tsx';
import { Field, inputClass } from '../../components/field.tsx';
import { FormProblem } from '../../components/problem.tsx';
import { useStillHere } from '../use-still-here.ts';
import { oauthQuery } from './queries.ts';
import { RedirectUri } from './redirect-uri.tsx';
import { validateNow } from './use-validation.ts';

interface ClientValues {
  issuer: string;
  clientId: string;
  clientSecret: string;
}

const FIELDS = { issuer: 'issuer', clientId: 'clientId', clientSecret: 'clientSecret' } as const;

interface Read {
  readonly oauth: IntegrationOauthConfig;
  readonly etag: string | undefined;
}

interface ClientFormProps {
  readonly integration: Integration;
  readonly read: Read;
}

/** Enters a client as the configuration was read first: another admin's change is shown, and overwritten only when seen. */
export function ClientForm({ integration: { id, name }, read }: ClientFormProps) {
  // The query goes on refreshing; what the form began with does not.
  const [base, setBase] = useState(read);
  const [isChanged, setChanged] = useState(false);
  const { register, handleSubmit, setError, formState } = useForm<ClientValues>({
    defaultValues: { issuer: read.oauth.issuer ?? '', clientId: '', clientSecret: '' },
  });
  const { errors } = formState;
  const queries = useQueryClient();
  const navigate = useNavigate();
  const isStillHere = useStillHere();
  const store = useMutation({
    mutationFn: (values: ClientValues) =>
      gatehouse.request('PUT', '/integrations/:id/oauth', {
        params: { id },
        body: bodyOf(base.oauth, name, values),
        ifMatch: base.etag,
      }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['integrations'] });
      say(`The client of ${name} is stored.`);
      if (isStillHere()) await navigate({ to: '/integrations/$id', params: { id } });
      await validateNow(queries, id);
    },
    onError: async (error) => {
      const isConflict = isApiError(error) && error.code === 'precondition_failed';
      setChanged(isConflict);
      if (isConflict) setBase(await queries.fetchQuery({ ...oauthQuery(id), staleTime: 0 }));
      else showAtFields(error, FIELDS, setError);
    },
  });
  useBegunForm(formState.isDirty && !store.isSuccess);
  return (
    <form
      noValidate
      onSubmit={handleSubmit((values) => store.mutate(values))}
      className="grid gap-4 p-4"
    >
      <p className="text-ink-2">
        Make a client at the provider with this redirect URI, which is of this integration alone,
        and enter it here.
      </p>
      <RedirectUri uri={base.oauth.redirectUri} />
      {isChanged ? (
        <p role="alert" className="foreign rounded-6 bg-warn-soft px-4 py-2.5">
          Another admin has changed the integration meanwhile: its client id is{' '}
          {base.oauth.clientId ?? 'not set'}. Store it again to have what you typed.
        </p>
      ) : (
        store.error !== null && <FormProblem error={store.error} />
      )}
      <Field label="Issuer" error={errors.issuer?.message}>
        {(control) => (
          <input
            {...control}
            {...register('issuer', { required: 'Enter the URL of the authorization server.' })}
            type="url"
            autoComplete="off"
            spellCheck={false}
            className={inputClass}
          />
        )}
      </Field>
      <Field label="Client id" error={errors.clientId?.message}>
        {(control) => (
          <input
            {...control}
            {...register('clientId', { required: 'Enter the client id.' })}
            maxLength={limits.clientId}
            autoComplete="off"
            spellCheck={false}
            className={inputClass}
          />
        )}
      </Field>
      <Field label="Client secret" isOptional error={errors.clientSecret?.message}>
        {(control) => (
          <input
            {...control}
            {...register('clientSecret')}
            type="password"
            autoComplete="new-password"
            className={inputClass}
          />
        )}
      </Field>
      <div className="flex flex-wrap justify-end gap-2">
        <Link to="/integrations/$id" params={{ id }} className={buttonClass()}>
          Not now
        </Link>
        <Button look="primary" type="submit" isBusy={store.isPending}>
          {store.isPending ? 'Storing…' : 'Store the client'}
        </Button>
      </div>
    </form>
  );
}

/** Absent fields would be removed: what the form does not show is sent as it is. */
function bodyOf(
  oauth: IntegrationOauthConfig,
  name: string,
  { issuer, clientId, clientSecret }: ClientValues,
): PutIntegrationOauthBody {
  const { provider = name, scopes, authorizationParams, resource } = oauth;
  // A method that only a newer service has goes back to it as it came.
  const method =
    oauth.tokenEndpointAuthMethod as PutIntegrationOauthBody['tokenEndpointAuthMethod'];
  return {
    ...{ provider, issuer: issuer.trim(), scopes, clientId: clientId.trim() },
    ...{ tokenEndpointAuthMethod: method, authorizationParams, resource },
    ...(clientSecret !== '' && { clientSecret }),
  };
}
