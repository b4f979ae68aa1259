import { type ReactNode, useId } from 'react';

/** What a control needs to belong to its field. */
interface ControlProps {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': boolean;
}

interface FieldProps {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
  readonly isOptional?: boolean;
  readonly children: (control: ControlProps) => ReactNode;
}

export const inputClass =
  'h-9 w-full min-w-0 rounded-6 border border-edge bg-panel px-3 aria-invalid:border-bad placeholder:text-ink-3';

/** A label, a control, a hint, and what is wrong with what was entered. */
export function Field({ label, hint, error, isOptional = false, children }: FieldProps) {
  const id = useId();
  const hintId = `${id}-hint`;
  const errorId = `${id}-error`;
  const described = [hint !== undefined && hintId, error !== undefined && errorId].filter(Boolean);
  return (
    <div className="grid gap-1">
      <label htmlFor={id} className="foreign font-medium">
        {label}
        {isOptional && <span className="font-normal text-ink-3"> (optional)</span>}
      </label>
      {children({
        id,
        'aria-describedby': described.length > 0 ? described.join(' ') : undefined,
        'aria-invalid': error !== undefined,
      })}
      {error !== undefined && (
        <p id={errorId} className="foreign text-bad">
          {error}
        </p>
      )}
      {hint !== undefined && (
        <p id={hintId} className="foreign text-12 text-ink-2">
          {hint}
        </p>
      )}
    </div>
  );
}
