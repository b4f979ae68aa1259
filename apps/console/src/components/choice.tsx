import type { InputHTMLAttributes, ReactNode } from 'react';

interface ChoiceProps extends InputHTMLAttributes<HTMLInputElement> {
  readonly type: 'radio' | 'checkbox';
  readonly label: ReactNode;
  readonly sentence?: ReactNode;
}

/** A radio button or checkbox, with the sentence that says what follows from it. */
export function Choice({ label, sentence, ...input }: ChoiceProps) {
  return (
    <label className="grid cursor-pointer grid-cols-[16px_1fr] gap-x-2.5 py-1">
      <input {...input} className="mt-0.5 size-4 accent-accent" />
      <span>
        <span className="foreign font-medium">{label}</span>
        {sentence !== undefined && <span className="block text-ink-2">{sentence}</span>}
      </span>
    </label>
  );
}

/** Choices that belong together. */
export function ChoiceGroup({ legend, children }: { legend: string; children: ReactNode }) {
  return (
    <fieldset className="grid gap-1">
      <legend className="mb-1 font-medium">{legend}</legend>
      {children}
    </fieldset>
  );
}
