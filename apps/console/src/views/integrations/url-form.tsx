import { discoverIntegrationBodySchema } from '@gatehouse/contract';
import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { explain } from '../../api/problems.ts';
import { Button } from '../../components/button.tsx';
import { Field, inputClass } from '../../components/field.tsx';

interface UrlFormProps {
  readonly isBusy: boolean;
  readonly error: unknown;
  readonly onSubmit: (url: string) => void;
}

export function UrlForm({ isBusy, error, onSubmit }: UrlFormProps) {
  const { register, handleSubmit, formState } = useForm({
    resolver: zodResolver(discoverIntegrationBodySchema),
    defaultValues: { url: '' },
  });
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
