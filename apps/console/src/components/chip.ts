const CHIP = 'inline-flex h-7 items-center gap-1 rounded-6 border px-2.5';
const OFF = 'border-dashed border-line-strong text-ink-2 hover:text-ink';
const ON = 'border-transparent bg-accent-soft font-medium text-accent';

/** The look of a filter. @param isOn it narrows the list */
export const chipClass = (isOn: boolean) => `${CHIP} ${isOn ? ON : OFF}`;
