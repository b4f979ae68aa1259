import { authModeLabels, knownServers } from '@gatehouse/contract';
import { labelOf } from '../../api/labels.ts';
import { Logo } from '../../components/logo.tsx';

interface KnownServersProps {
  readonly isBusy: boolean;
  readonly onChoose: (url: string) => void;
}

/** Servers that many organizations use. Choosing one looks at its URL. */
export function KnownServers({ isBusy, onChoose }: KnownServersProps) {
  return (
    <ul aria-label="Known servers" className="grid gap-x-4 wide:grid-cols-2">
      {knownServers.map(({ name, url, about, authMode, documentation }) => (
        <li key={url} className="flex items-center gap-2 border-b border-line py-1.5">
          <button
            type="button"
            disabled={isBusy}
            onClick={() => onChoose(url)}
            className="flex min-w-0 flex-1 items-center gap-2.5 rounded-6 p-1 text-left hover:bg-hover"
          >
            <Logo name={name} />
            <span className="min-w-0">
              <span className="block font-medium">{name}</span>
              <span className="block text-12 text-ink-2">
                {about}. {labelOf(authModeLabels, authMode)}.
              </span>
            </span>
          </button>
          <a
            href={documentation}
            target="_blank"
            rel="noreferrer"
            aria-label={`Documentation of ${name}`}
            className="text-12 text-accent hover:underline"
          >
            Documentation
          </a>
        </li>
      ))}
    </ul>
  );
}
