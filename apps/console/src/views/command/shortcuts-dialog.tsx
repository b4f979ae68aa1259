import { Dialog } from '../../components/dialog.tsx';
import { Keys, modifier } from '../../components/keys.tsx';
import { useIsAdmin } from '../../shell/me.ts';
import { destinationsOf } from '../../shell/navigation.tsx';
import type { OverlayProps } from './overlays.tsx';
import { keysTo } from './shortcuts.ts';

const EVERYWHERE = [
  { label: 'Search and commands', keys: [modifier, 'K'] },
  { label: 'Search within the view', keys: ['/'] },
  { label: 'These shortcuts', keys: ['?'] },
  { label: 'Close what is open', keys: ['Esc'] },
] as const;

/** Which keys do what. */
export function ShortcutsDialog({ onClose }: Pick<OverlayProps, 'onClose'>) {
  const views = destinationsOf(useIsAdmin()).map(({ to, label }) => ({ label, keys: keysTo(to) }));
  return (
    <Dialog isOpen onClose={onClose} title="Keyboard shortcuts">
      <div className="grid gap-x-8 gap-y-4 wide:grid-cols-2">
        <Shortcuts title="Go to" of={views} />
        <Shortcuts title="Everywhere" of={EVERYWHERE} />
      </div>
      <p className="mt-4 text-ink-2">While you type in a field, these keys only type.</p>
    </Dialog>
  );
}

interface ShortcutsProps {
  readonly title: string;
  readonly of: readonly { readonly label: string; readonly keys: readonly string[] }[];
}

function Shortcuts({ title, of }: ShortcutsProps) {
  return (
    <section>
      <h3 className="mb-1 text-12 font-medium text-ink-3">{title}</h3>
      <dl>
        {of.map(({ label, keys }) => (
          <div key={label} className="flex min-h-8 items-center justify-between gap-3">
            <dt>{label}</dt>
            <dd>
              <Keys keys={keys} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
