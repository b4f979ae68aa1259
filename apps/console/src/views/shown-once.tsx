import type { ReactNode } from 'react';
import { Button } from '../components/button.tsx';
import { Code } from '../components/code.tsx';
import { DialogActions } from '../components/dialog.tsx';

interface ShownOnceProps {
  /** A secret, or a link that is one. */
  readonly text: string;
  readonly label: string;
  /** What to do with it. */
  readonly children: ReactNode;
  readonly done: string;
  readonly onClose: () => void;
}

/** In a dialog: a text at the only time when it can be read. It is in this component and its mutation alone. */
export function ShownOnce({ text, label, children, done, onClose }: ShownOnceProps) {
  return (
    <>
      <div className="mb-3 grid gap-2 text-ink-2">{children}</div>
      <Code text={text} label={label} />
      <DialogActions>
        <Button look="primary" onClick={onClose}>
          {done}
        </Button>
      </DialogActions>
    </>
  );
}
