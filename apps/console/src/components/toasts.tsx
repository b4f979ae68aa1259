import { Toast } from '@base-ui/react/toast';
import { useEffect } from 'react';
import { onAnnouncement } from './announcements.ts';
import { buttonClass } from './button.tsx';

const manager = Toast.createToastManager();
/** Long enough to read, and to decide whether to undo. */
const SHORT = 5_000;
const LONG = 12_000;

/** Where the announcements of the whole console appear. */
export function Toasts() {
  useEffect(
    () =>
      onAnnouncement(({ sentence, undo, isProblem }) => {
        manager.add({
          title: sentence,
          timeout: undo || isProblem ? LONG : SHORT,
          type: isProblem ? 'problem' : 'done',
          ...(undo && { actionProps: { children: 'Undo', onClick: undo } }),
        });
      }),
    [],
  );
  return (
    <Toast.Provider toastManager={manager} limit={3}>
      <Toast.Portal>
        <Toast.Viewport className="fixed right-4 bottom-4 left-4 z-40 ml-auto grid max-w-sm gap-2">
          <ToastList />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}

function ToastList() {
  const { toasts } = Toast.useToastManager();
  return toasts.map((toast) => (
    <Toast.Root
      key={toast.id}
      toast={toast}
      className="flex items-center gap-3 rounded-8 bg-panel py-2 pr-2 pl-4 shadow-pop data-limited:hidden"
    >
      {/* Base UI hides the buttons of a toast with high priority from screen readers. */}
      <Toast.Title
        render={<p role={toast.type === 'problem' ? 'alert' : undefined} />}
        className="foreign min-w-0 flex-1"
      />
      {toast.actionProps && <Toast.Action className={buttonClass('secondary', 'small')} />}
      <Toast.Close className={buttonClass('plain', 'small')}>Close</Toast.Close>
    </Toast.Root>
  ));
}
