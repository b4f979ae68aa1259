import { authModeLabels, knownServers } from '@gatehouse/contract';
import { useState } from 'react';
import { labelOf } from '../../api/labels.ts';
import { Empty } from '../../components/empty.tsx';
import { inputClass } from '../../components/field.tsx';
import { Logo } from '../../components/logo.tsx';
import { hasWords } from '../has-words.ts';

interface KnownServersProps {
  readonly isBusy: boolean;
  readonly onChoose: (url: string) => void;
}

/** Servers that many organizations use. Choosing one looks at its URL. */
export function KnownServers({ isBusy, onChoose }: KnownServersProps) {
  const [words, setWords] = useState('');
  const found = knownServers.filter(({ name, about, url }) => hasWords(words, name, about, url));
  return (
    <div className="grid gap-2">
      <input
        type="search"
        aria-label="Search known servers"
        placeholder="Search known servers"
        value={words}
        onChange={({ target }) => setWords(target.value)}
        className={inputClass}
      />
      {found.length === 0 && (
        <Empty sentence="No known server matches. Any other MCP server can be added by its URL." />
      )}
      <ul aria-label="Known servers" className="grid gap-x-4 wide:grid-cols-2">
        {found.map((server) => (
          <KnownServer key={server.url} server={server} isBusy={isBusy} onChoose={onChoose} />
        ))}
      </ul>
    </div>
  );
}

interface KnownServerProps extends KnownServersProps {
  readonly server: (typeof knownServers)[number];
}

function KnownServer({ server, isBusy, onChoose }: KnownServerProps) {
  const { name, url, about, authMode, documentation } = server;
  return (
    <li className="flex items-center gap-2 border-b border-line py-1.5">
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
  );
}
