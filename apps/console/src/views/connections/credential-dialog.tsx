import { credentialBodyOf, credentialFieldsOf, jsonPointer } from '@gatehouse/contract';
import { type Integration, isApiError } from '@gatehouse/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { useBegunForm } from '../../api/begun-forms.ts';
import { gatehouse } from '../../api/gatehouse.ts';
import { say } from '../../components/announcements.ts';
import { Button } from '../../components/button.tsx';
import { Dialog, DialogActions } from '../../components/dialog.tsx';
import { FormProblem } from '../../components/problem.tsx';
import { hostOf } from '../integrations/status.tsx';
import { CredentialInput } from './credential-input.tsx';

interface CredentialDialogProps {
  readonly integration: Integration;
  readonly onClose: () => void;
}

/** The values that an integration asks each person for. They are sent, and never shown again. */
export function CredentialDialog(props: CredentialDialogProps) {
  return (
    <Dialog isOpen onClose={props.onClose} title={`Connect ${props.integration.name}`}>
      <CredentialForm {...props} />
    </Dialog>
  );
}

function CredentialForm({ integration, onClose }: CredentialDialogProps) {
  const { id, name, url, credentialSchema } = integration;
  const fields = credentialFieldsOf(credentialSchema);
  const [entered, setEntered] = useState<ReadonlyMap<string, string>>(
    () => new Map(fields.map((field) => [field.name, field.initial ?? ''])),
  );
  const [isDirty, setDirty] = useState(false);
  useBegunForm(isDirty);
  const queries = useQueryClient();
  const store = useMutation({
    mutationFn: () =>
      gatehouse.request('POST', '/integrations/:id/connection', {
        params: { id },
        body: credentialBodyOf(fields, entered) ?? { fields: {} },
      }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['integrations'] });
      say(`${name} is connected.`);
      onClose();
    },
  });
  const errors = errorsOf(store.error);
  const isAtFields =
    errors.size > 0 &&
    [...errors.keys()].every((at) => fields.some(({ pointer }) => pointer === at));
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    store.mutate();
  };
  return (
    <form noValidate onSubmit={submit} className="grid gap-4">
      <p className="foreign text-ink-2">
        It is stored encrypted and sent to {hostOf(url)} only. Clients never see it.
      </p>
      {store.error !== null && !isAtFields && <FormProblem error={store.error} />}
      {fields.map((field) => (
        <CredentialInput
          key={field.name}
          field={field}
          value={entered.get(field.name) ?? ''}
          error={errors.get(field.pointer)}
          onChange={(value) => {
            setEntered(new Map(entered).set(field.name, value));
            setDirty(true);
          }}
        />
      ))}
      <DialogActions>
        <Button onClick={onClose}>Not now</Button>
        <Button look="primary" type="submit" isBusy={store.isPending}>
          {store.isPending ? 'Storing…' : 'Connect'}
        </Button>
      </DialogActions>
    </form>
  );
}

/** What is wrong with each value, by the pointer that its field has. */
function errorsOf(error: unknown): ReadonlyMap<string, string> {
  const errors = (isApiError(error) && error.problem?.errors) || [];
  return new Map(errors.map(({ pointer, message }) => [pointer ?? jsonPointer([]), message]));
}
