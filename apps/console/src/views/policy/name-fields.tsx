import { limits, type NameKind, type PolicyInput, type PolicyLevel } from '@gatehouse/contract';
import { type ReactNode, useState } from 'react';
import { messageWithin } from '../../api/problems.ts';
import { Choice } from '../../components/choice.tsx';
import { LinesField } from '../../components/lines-field.tsx';
import { TryName } from './try-name.tsx';

type NameRules = NonNullable<PolicyInput['prompts']>;

const LEGENDS: Readonly<Record<NameKind, string>> = {
  tools: 'Tools',
  prompts: 'Prompts',
  resources: 'Resources',
};

/** Whether a list of lines can hold the patterns as they are. */
function fitLines(patterns: readonly string[] = []): boolean {
  return patterns.every((pattern) => pattern === pattern.trim() && !/[\n\r]/.test(pattern));
}

interface NameFieldsProps {
  readonly kind: NameKind;
  readonly rules: NameRules | undefined;
  /** Of all rules, the ones being typed among them. */
  readonly levels: readonly PolicyLevel[];
  /** Of a field, and of what is within it. */
  readonly errors: unknown;
  readonly onChange: (rules: NameRules) => void;
  readonly children?: ReactNode;
}

/** Which tools, prompts or resources may be used, by patterns of their names or URIs. */
export function NameFields(props: NameFieldsProps) {
  const { kind, rules = {}, levels, errors, onChange, children } = props;
  const { allow, deny } = rules;
  // Switching it off and on again loses nothing that was typed.
  const [last, setLast] = useState<readonly string[]>([]);
  const of = kind === 'resources' ? 'URI' : 'name';
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-1 font-semibold">{LEGENDS[kind]}</legend>
      <Choice
        type="checkbox"
        checked={allow !== undefined}
        onChange={({ target }) => {
          setLast(allow ?? last);
          onChange({ ...rules, allow: target.checked ? [...last] : undefined });
        }}
        label={`Only some ${kind}`}
        sentence="All others are refused, including ones added later."
      />
      {allow !== undefined && (
        <Patterns
          label={`Allowed ${kind}`}
          hint={`One ${of} per line; * stands for any characters. If this is empty, no ${kind} may be used.`}
          patterns={allow}
          error={messageAt(errors, 'allow')}
          onChange={(lines) => onChange({ ...rules, allow: lines })}
        />
      )}
      <Patterns
        label={`Denied ${kind}`}
        hint={`One ${of} per line; * stands for any characters. These are refused even if also allowed.`}
        patterns={deny ?? []}
        error={messageAt(errors, 'deny') ?? ownMessage(errors)}
        onChange={(lines) => onChange({ ...rules, deny: lines.length > 0 ? lines : undefined })}
      />
      {children}
      <TryName kind={kind} levels={levels} maxLength={limits.policyResourcePattern} />
    </fieldset>
  );
}

interface PatternsProps {
  readonly label: string;
  readonly hint: string;
  readonly patterns: readonly string[];
  readonly error: string | undefined;
  readonly onChange: (lines: string[]) => void;
}

function Patterns({ label, hint, patterns, error, onChange }: PatternsProps) {
  if (!fitLines(patterns)) {
    return (
      <p className="rounded-6 bg-sunken px-3 py-2 text-ink-2">
        {label}: some patterns begin or end with a space, or contain a line break, which this form
        cannot show. They stay as they are; change them through the API.
      </p>
    );
  }
  return (
    <LinesField label={label} hint={hint} lines={patterns} error={error} onChange={onChange} />
  );
}

function messageAt(errors: unknown, field: 'allow' | 'deny'): string | undefined {
  if (typeof errors !== 'object' || errors === null || !(field in errors)) return undefined;
  return messageWithin(Object.entries(errors).find(([name]) => name === field)?.[1]);
}

/** What the server said of the whole. */
function ownMessage(errors: unknown): string | undefined {
  if (typeof errors !== 'object' || errors === null || !('message' in errors)) return undefined;
  return typeof errors.message === 'string' ? errors.message : undefined;
}
