import { useEffect, useState } from 'react';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';

const WORDS = { ready: 'Copy', copied: 'Copied', failed: 'Select it and copy' } as const;

/** Copies a text, and says so for two seconds. `name` says what is copied. */
export function Copy({ text, name }: { text: string; name: string }) {
  const [state, setState] = useState<keyof typeof WORDS>('ready');
  useEffect(() => {
    if (state === 'ready') return;
    const timer = setTimeout(() => setState('ready'), 2_000);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setState('copied'),
      () => setState('failed'),
    );
  return (
    <Button size="small" onClick={copy}>
      <Icon name={state === 'copied' ? 'check' : 'copy'} />
      <span aria-live="polite">{WORDS[state]}</span>
      <span className="sr-only"> {name}</span>
    </Button>
  );
}
