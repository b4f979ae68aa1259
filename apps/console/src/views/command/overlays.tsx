import { type ComponentType, lazy, Suspense } from 'react';
import { useKeys } from './use-keys.ts';

/** What opens above every view. */
export type Overlay = 'menu' | 'shortcuts' | 'token' | 'invite' | 'group';

export interface OverlayProps {
  readonly onShow: (overlay: Overlay) => void;
  readonly onClose: () => void;
}

// Each is loaded when it is opened first.
const OVERLAYS: Readonly<Record<Overlay, ComponentType<OverlayProps>>> = {
  menu: lazy(async () => ({ default: (await import('./menu.tsx')).CommandMenu })),
  shortcuts: lazy(async () => ({
    default: (await import('./shortcuts-dialog.tsx')).ShortcutsDialog,
  })),
  token: lazy(async () => ({
    default: (await import('../tokens/create-dialog.tsx')).CreateDialog,
  })),
  invite: lazy(async () => ({
    default: (await import('../people/invite-dialog.tsx')).InviteDialog,
  })),
  group: lazy(async () => ({
    default: (await import('../groups/create-dialog.tsx')).CreateDialog,
  })),
};

interface OverlaysProps {
  readonly shown: Overlay | undefined;
  readonly onShow: (overlay: Overlay | undefined) => void;
}

/** The command menu, and what is opened from it or by keys. */
export function Overlays({ shown, onShow }: OverlaysProps) {
  useKeys(shown, onShow);
  if (shown === undefined) return null;
  const Shown = OVERLAYS[shown];
  return (
    <Suspense fallback={null}>
      <Shown onShow={onShow} onClose={() => onShow(undefined)} />
    </Suspense>
  );
}
