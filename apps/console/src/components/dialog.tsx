import { Dialog as Base } from '@base-ui/react/dialog';
import { type ReactNode, useState } from 'react';
import { BegunWithin } from '../api/begun-forms.ts';
import { SignedOutNotice } from './signed-out-notice.tsx';

interface DialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly children: ReactNode;
}

/**
 * Above the view. Escape and a click beside it close it, unless it holds what would be lost: then only its buttons do,
 * and it says so.
 */
export function Dialog({ isOpen, onClose, title, children }: DialogProps) {
  const [begun, setBegun] = useState(0);
  const [isRefused, setRefused] = useState(false);
  const isKept = begun > 0;
  const close = () => (isKept ? setRefused(true) : onClose());
  return (
    <Base.Root open={isOpen} onOpenChange={(open) => open || close()}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-20 bg-veil" />
        <Base.Popup className="fixed inset-x-4 top-[12vh] z-30 mx-auto max-h-[80vh] max-w-lg overflow-y-auto rounded-12 bg-panel p-5 text-pretty shadow-pop outline-none">
          <SignedOutNotice className="sticky -top-5 z-10 -mx-5 -mt-5 mb-4 px-5" />
          <Base.Title className="foreign mb-3 text-16 font-semibold">{title}</Base.Title>
          <BegunWithin value={setBegun}>{children}</BegunWithin>
          {isKept && isRefused && (
            <p role="alert" className="mt-3 text-right text-ink-2">
              Close it by its buttons: what is in it would be lost.
            </p>
          )}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

/** The buttons of a dialog: what it is for at the end. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <div className="mt-5 flex flex-wrap justify-end gap-2">{children}</div>;
}
