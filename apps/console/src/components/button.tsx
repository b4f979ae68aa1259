import type { ButtonHTMLAttributes } from 'react';

type Look = 'primary' | 'secondary' | 'plain' | 'danger';

const BASE =
  'inline-flex items-center justify-center gap-1.5 whitespace-nowrap rounded-6 border font-medium disabled:opacity-60';

const LOOKS: Readonly<Record<Look, string>> = {
  primary: 'border-transparent bg-accent text-on-accent shadow-panel hover:bg-accent-strong',
  secondary: 'border-line-strong bg-panel shadow-panel hover:bg-hover',
  plain: 'border-transparent text-ink-2 hover:bg-hover hover:text-ink',
  danger: 'border-line-strong bg-panel text-bad shadow-panel hover:bg-bad-soft',
};

/** The classes of a button, for links that look like one. */
export function buttonClass(look: Look = 'secondary', size: 'normal' | 'small' = 'normal'): string {
  return `${BASE} ${LOOKS[look]} ${size === 'small' ? 'h-7 px-2.5' : 'h-8 px-3'}`;
}

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly look?: Look;
  readonly size?: 'normal' | 'small';
  /** Keeps the button where it is, and focused, while what it began is running. */
  readonly isBusy?: boolean;
}

export function Button({ look, size, isBusy = false, className = '', ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      aria-disabled={isBusy || undefined}
      onClick={isBusy ? (event) => event.preventDefault() : rest.onClick}
      className={`${buttonClass(look, size)} ${isBusy ? 'opacity-60' : ''} ${className}`}
    />
  );
}
