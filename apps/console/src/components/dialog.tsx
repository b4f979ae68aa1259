import { Dialog as Base } from '@base-ui/react/dialog';
import type { ReactNode } from 'react';

interface DialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly children: ReactNode;
}

/** Above the view. Escape and a click beside it close it. */
export function Dialog({ isOpen, onClose, title, children }: DialogProps) {
  return (
    <Base.Root open={isOpen} onOpenChange={(open) => open || onClose()}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-20 bg-veil" />
        <Base.Popup className="fixed inset-x-4 top-[12vh] z-30 mx-auto max-h-[80vh] max-w-lg overflow-y-auto rounded-12 bg-panel p-5 text-pretty shadow-pop outline-none">
          <Base.Title className="foreign mb-3 text-16 font-semibold">{title}</Base.Title>
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

/** The buttons of a dialog: what it is for at the end. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <div className="mt-5 flex flex-wrap justify-end gap-2">{children}</div>;
}
