import { Icon } from '../components/icon.tsx';
import { Keys, modifier } from '../components/keys.tsx';

/** Opens the command menu, and says with which keys it opens too. */
export function SearchButton({ onClick }: { onClick: () => void }) {
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      aria-keyshortcuts={modifier === 'Ctrl' ? 'Control+K' : 'Meta+K'}
      onClick={onClick}
      className="flex h-8 items-center gap-2.5 rounded-6 border border-line-strong bg-panel px-2 text-ink-2 hover:bg-hover hover:text-ink"
    >
      <Icon name="search" />
      Search
      <span className="ml-auto">
        <Keys keys={[modifier, 'K']} />
      </span>
    </button>
  );
}
