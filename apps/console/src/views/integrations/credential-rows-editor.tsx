import type { JsonObject } from '@gatehouse/contract';
import { limits } from '@gatehouse/contract';
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Choice } from '../../components/choice.tsx';
import { Field, inputClass } from '../../components/field.tsx';
import { type CredentialRow, emptyRow, rowsOfSchema, schemaOfRows } from './credential-rows.ts';

interface EditorProps {
  readonly schema: unknown;
  /** The whole organization has one credential: no value is added to a single token. */
  readonly isShared: boolean;
  readonly error: string | undefined;
  readonly onChange: (schema: JsonObject | undefined) => void;
}

const PERSONAL = {
  token: 'Each person enters one token, which is sent as a bearer token in Authorization.',
  values: 'Each person enters these values:',
  other: 'Ask for other values',
};

const SHARED: typeof PERSONAL = {
  token: 'The token is sent as a bearer token in Authorization.',
  values: 'The token is sent like this:',
  other: 'Send it in another header',
};

/** The values of a credential: one token, or several values with the header of each. */
export function CredentialRowsEditor({ schema, isShared, error, onChange }: EditorProps) {
  const words = isShared ? SHARED : PERSONAL;
  const [rows, setRows] = useState(() => rowsOfSchema(schema));
  if (rows === undefined) {
    return (
      <p className="rounded-6 bg-sunken px-3 py-2 text-ink-2">
        The credential schema says more than this form can show. It stays as it is; change it by the
        API.
      </p>
    );
  }
  const change = (changed: readonly CredentialRow[]) => {
    setRows(changed);
    onChange(schemaOfRows(changed));
  };
  return (
    <div className="grid gap-3">
      <p className="text-ink-2">{rows.length === 0 ? words.token : words.values}</p>
      {rows.map((row, index) => (
        <RowEditor
          // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place; names may repeat.
          key={index}
          row={row}
          position={index + 1}
          onChange={(changed) => change(rows.with(index, changed))}
          onRemove={() => change(rows.toSpliced(index, 1))}
        />
      ))}
      {error !== undefined && <p className="foreign text-bad">{error}</p>}
      {rows.length < (isShared ? 1 : limits.jsonProperties) && (
        <div>
          <Button size="small" onClick={() => change([...rows, emptyRow])}>
            {rows.length === 0 ? words.other : 'Add a value'}
          </Button>
        </div>
      )}
    </div>
  );
}

interface RowEditorProps {
  readonly row: CredentialRow;
  readonly position: number;
  readonly onChange: (row: CredentialRow) => void;
  readonly onRemove: () => void;
}

const TEXTS = [
  { key: 'title', label: 'Label', placeholder: 'API key' },
  { key: 'header', label: 'Sent in the header', placeholder: 'X-Api-Key' },
  { key: 'prefix', label: 'After the text', placeholder: 'Token ' },
] as const;

function RowEditor({ row, position, onChange, onRemove }: RowEditorProps) {
  return (
    <fieldset className="grid gap-3 rounded-6 bg-sunken p-3 wide:grid-cols-3">
      <legend className="sr-only">Value {position}</legend>
      {TEXTS.map(({ key, label, placeholder }) => (
        <Field key={key} label={label} isOptional={key === 'prefix'}>
          {(control) => (
            <input
              {...control}
              className={inputClass}
              value={row[key]}
              placeholder={placeholder}
              maxLength={key === 'header' ? limits.headerName : limits.headerPrefix}
              onChange={(event) => onChange({ ...row, [key]: event.target.value })}
            />
          )}
        </Field>
      ))}
      <div className="flex flex-wrap items-center gap-x-5 wide:col-span-3">
        <Choice
          type="checkbox"
          label="Secret"
          checked={row.isSecret}
          onChange={(event) => onChange({ ...row, isSecret: event.target.checked })}
        />
        <Choice
          type="checkbox"
          label="Required"
          checked={row.isRequired}
          onChange={(event) => onChange({ ...row, isRequired: event.target.checked })}
        />
        <Button size="small" look="plain" className="ml-auto" onClick={onRemove}>
          Remove value {position}
        </Button>
      </div>
    </fieldset>
  );
}
