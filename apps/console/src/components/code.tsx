import { Copy } from './copy.tsx';
import { Scroller } from './scroller.tsx';

/** Text to copy into another program. */
export function Code({ text, label }: { text: string; label: string }) {
  return (
    <div className="flex max-w-3xl items-start gap-2 max-wide:flex-col max-wide:items-stretch">
      <div className="min-w-0 flex-1">
        <Scroller text={text} label={label} />
      </div>
      <Copy text={text} name={label} />
    </div>
  );
}
