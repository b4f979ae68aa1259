import { useBlocker } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useBegunForm } from '../api/begun-forms.ts';
import { Button } from '../components/button.tsx';
import { Code } from '../components/code.tsx';
import { DialogActions } from '../components/dialog.tsx';
import { saveFile } from '../components/save-file.ts';

interface ShownOnceProps {
  /** A secret, or a link that is one. */
  readonly text: string;
  readonly label: string;
  /** The name of the file in which it can be stored. The browser replaces what no file's name may have. */
  readonly file?: string;
  /** What to do with it. */
  readonly children: ReactNode;
  readonly done: string;
  readonly onClose: () => void;
}

/**
 * In a dialog, which only the button then closes: a text at the only time when it can be read. It is in this component
 * and its mutation alone.
 */
export function ShownOnce({ text, label, file, children, done, onClose }: ShownOnceProps) {
  // It is lost like what is typed; going back in the browser does nothing.
  useBegunForm(true);
  useBlocker({ shouldBlockFn: () => true, enableBeforeUnload: false });
  return (
    <>
      <div className="mb-3 grid gap-2 text-ink-2">{children}</div>
      <Code text={text} label={label} />
      <DialogActions>
        {file !== undefined && (
          <Button onClick={() => saveFile(`${file}.txt`, 'text/plain', `${text}\n`)}>
            Download<span className="sr-only"> {label}</span>
          </Button>
        )}
        <Button look="primary" onClick={onClose}>
          {done}
        </Button>
      </DialogActions>
    </>
  );
}
