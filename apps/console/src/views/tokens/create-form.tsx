import {
  type CreateTokenBody,
  createTokenBodySchema,
  type TokenScope,
  tokenScopeSentences,
} from '@gatehouse/contract';
import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import * as z from 'zod';
import { keysOf, optionsOf } from '../../api/keys-of.ts';
import { showAtFields } from '../../api/problems.ts';
import { Choice, ChoiceGroup } from '../../components/choice.tsx';
import { DialogForm } from '../../components/dialog-form.tsx';
import { Field, inputClass } from '../../components/field.tsx';
import { NameField } from '../name-field.tsx';
import { expiryOf, LAST_DAY, type Lifetime, lifetimeLabels, tomorrow } from './expiry.ts';

interface CreateValues {
  name: string;
  scopes: TokenScope[];
  lifetime: Lifetime;
  day: string;
}

/** The form asks for a lifetime, the body has the time when it ends. */
const formSchema = z
  .object({
    name: createTokenBodySchema.shape.name,
    scopes: z.array(z.enum(keysOf(tokenScopeSentences))).min(1, 'Choose at least one.'),
    lifetime: z.enum(keysOf(lifetimeLabels)),
    day: z.string(),
  })
  .transform(({ name, scopes, lifetime, day }, context): CreateTokenBody => {
    const expiresAt = expiryOf(lifetime, day, Date.now());
    const checked = createTokenBodySchema.shape.expiresAt.safeParse(expiresAt);
    if (expiresAt === undefined || !checked.success) {
      const message = checked.error?.issues[0]?.message ?? 'Choose a date.';
      context.addIssue({ code: 'custom', path: ['day'], message });
    }
    return { name, scopes, expiresAt };
  });

const FIELDS = { name: 'name', scopes: 'scopes', expiresAt: 'lifetime' } as const;

interface CreateFormProps {
  readonly create: {
    readonly error: unknown;
    readonly isPending: boolean;
    mutate(body: CreateTokenBody, options: { onError: (error: Error) => void }): void;
  };
  readonly onClose: () => void;
}

export function CreateForm({ create, onClose }: CreateFormProps) {
  const form = useForm<CreateValues, unknown, CreateTokenBody>({
    resolver: zodResolver(formSchema),
    defaultValues: { name: '', scopes: [], lifetime: '90', day: '' },
  });
  const { register, handleSubmit, watch, setError, formState } = form;
  const { errors } = formState;
  const submit = handleSubmit((body) =>
    create.mutate(body, {
      onError: (error) => {
        showAtFields(error, FIELDS, setError);
      },
    }),
  );
  return (
    <DialogForm
      error={create.error}
      isDirty={formState.isDirty}
      action={create.isPending ? 'Creating…' : 'Create token'}
      isBusy={create.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <NameField
        registered={register('name')}
        hint="The program that gets it, so that you know later what to revoke."
        error={errors.name?.message}
      />
      <ChoiceGroup legend="What it may do: its scopes">
        {keysOf(tokenScopeSentences).map((scope) => (
          <Choice
            key={scope}
            type="checkbox"
            value={scope}
            {...register('scopes')}
            label={scope}
            sentence={tokenScopeSentences[scope]}
          />
        ))}
        {errors.scopes !== undefined && (
          <p role="alert" className="text-bad">
            {errors.scopes.message}
          </p>
        )}
      </ChoiceGroup>
      <Field label="How long it works" error={errors.lifetime?.message}>
        {(field) => (
          <select {...field} {...register('lifetime')} className={inputClass}>
            {optionsOf(lifetimeLabels).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        )}
      </Field>
      {watch('lifetime') === 'day' && (
        <Field label="Last day" error={errors.day?.message}>
          {(field) => (
            <input
              {...field}
              {...register('day')}
              type="date"
              min={tomorrow(Date.now())}
              max={LAST_DAY}
              className={inputClass}
            />
          )}
        </Field>
      )}
    </DialogForm>
  );
}
