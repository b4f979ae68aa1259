import { decideName, type NameKind, type PolicyLevel } from '@gatehouse/contract';
import { useState } from 'react';
import { Field, inputClass } from '../../components/field.tsx';
import { VerdictStatus } from './verdict-status.tsx';
import { verdictOf } from './verdicts.ts';

const LABELS: Readonly<Record<NameKind, string>> = {
  tools: 'Try a tool name',
  prompts: 'Try a prompt name',
  resources: 'Try a resource URI',
};

interface TryNameProps {
  readonly kind: NameKind;
  readonly levels: readonly PolicyLevel[];
  readonly maxLength: number;
}

/** What the rules say of a name that is typed: lists of prompts and resources are not kept. */
export function TryName({ kind, levels, maxLength }: TryNameProps) {
  const [name, setName] = useState('');
  return (
    <Field label={LABELS[kind]} isOptional>
      {(control) => (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <input
            {...control}
            value={name}
            onChange={({ target }) => setName(target.value)}
            maxLength={maxLength}
            autoComplete="off"
            spellCheck={false}
            className={`${inputClass} max-w-80 font-mono text-12`}
          />
          <output className="min-w-0">
            {name !== '' && <VerdictStatus verdict={verdictOf(decideName(levels, kind, name))} />}
          </output>
        </div>
      )}
    </Field>
  );
}
