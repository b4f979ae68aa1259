import type { JsonObject } from '@gatehouse/contract';
import { useMemo } from 'react';
import { useBegunForm } from '../../../api/begun-forms.ts';
import { Button } from '../../../components/button.tsx';
import { Field } from '../../../components/field.tsx';
import type { Listed } from '../mcp/listed.ts';
import { ArgumentInput, areaClass } from './argument-input.tsx';
import { fieldsOf } from './fields.ts';
import { useArguments } from './use-arguments.ts';

interface CallFormProps {
  readonly listed: Listed;
  readonly isBusy: boolean;
  readonly onCall: (args: JsonObject) => void;
}

/** The arguments of a call, in a form made of its schema, or as JSON. */
export function CallForm({ listed, isBusy, onCall }: CallFormProps) {
  const fields = useMemo(() => fieldsOf(listed.inputSchema), [listed.inputSchema]);
  const typed = useArguments(fields);
  useBegunForm(typed.isDirty);
  const isJson = typed.json !== undefined;
  const call = () => {
    const args = typed.read();
    if (args !== undefined && !isBusy) onCall(args);
  };
  return (
    <form
      noValidate
      className="grid gap-4 px-4 py-3"
      onSubmit={(event) => {
        event.preventDefault();
        call();
      }}
    >
      {!isJson && fields?.length === 0 && <p className="text-ink-2">It takes no arguments.</p>}
      {!isJson &&
        fields?.map((field) => (
          <ArgumentInput
            key={field.name}
            field={field}
            value={typed.values.get(field.name) ?? ''}
            error={typed.errors.get(field.name)}
            onChange={(value) => typed.set(field.name, value)}
          />
        ))}
      {isJson && (
        <Field label="Arguments as JSON" error={typed.jsonError}>
          {(control) => (
            <textarea
              {...control}
              value={typed.json}
              rows={10}
              spellCheck={false}
              onChange={({ target }) => typed.setJson(target.value)}
              className={areaClass}
            />
          )}
        </Field>
      )}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" look="primary" isBusy={isBusy}>
          Call it
        </Button>
        {fields !== undefined && (
          <Button onClick={isJson ? typed.showFields : typed.showJson}>
            {isJson ? 'As a form' : 'As JSON'}
          </Button>
        )}
      </div>
    </form>
  );
}
