import { discoverIntegrationBodySchema } from '@gatehouse/contract';
import { zodResolver } from '@hookform/resolvers/zod';
import { lazy, Suspense, useState } from 'react';
import { useForm } from 'react-hook-form';
import { useBegunForm } from '../../api/begun-forms.ts';
import { explain } from '../../api/problems.ts';
import { Button } from '../../components/button.tsx';
import { Field, inputClass } from '../../components/field.tsx';

const KnownServers = lazy(async () => ({
  default: (await import('./known-servers.tsx')).KnownServers,
}));

interface UrlFormProps {
  readonly isBusy: boolean;
  readonly error: unknown;
  readonly onSubmit: (url: string) => void;
}

/** A URL, pasted or of a known server. */
export function UrlForm(props: UrlFormProps) {
  const [isListed, setListed] = useState(false);
  return (
    <div className="grid gap-3">
      <PastedUrl {...props} />
      {isListed ? (
        <Suspense>
          <KnownServers isBusy={props.isBusy} onChoose={props.onSubmit} />
        </Suspense>
      ) : (
        <Button look="plain" size="small" className="w-fit" onClick={() => setListed(true)}>
          Choose a known server
        </Button>
      )}
    </div>
  );
}

function PastedUrl({ isBusy, error, onSubmit }: UrlFormProps) {
  const { register, handleSubmit, formState } = useForm({
    resolver: zodResolver(discoverIntegrationBodySchema),
    defaultValues: { url: '' },
  });
  useBegunForm(formState.isDirty);
  const problem = error == null ? undefined : explain(error).sentence;
  return (
    <form noValidate onSubmit={handleSubmit(({ url }) => onSubmit(url))}>
      <Field
        label="URL of the MCP server"
        error={formState.errors.url?.message ?? problem}
        hint="The server's documentation names it. It often ends in /mcp."
      >
        {(control) => (
          <div className="flex gap-2 max-wide:flex-col">
            <input
              {...control}
              {...register('url', { setValueAs: (text: string) => text.trim() })}
              type="url"
              inputMode="url"
              autoComplete="off"
              spellCheck={false}
              placeholder="https://mcp.example.com/mcp"
              className={inputClass}
            />
            <Button look="primary" type="submit" className="h-9" isBusy={isBusy}>
              {isBusy ? 'Looking…' : 'Look at it'}
            </Button>
          </div>
        )}
      </Field>
    </form>
  );
}
