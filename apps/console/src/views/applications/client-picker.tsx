import { Link } from '@tanstack/react-router';
import { Logo } from '../../components/logo.tsx';
import { type McpClient, mcpClients } from './clients.ts';

interface ClientPickerProps {
  readonly chosen: string | undefined;
  readonly onChoose: (client: McpClient | undefined) => void;
}

const CHIP =
  'inline-flex h-8 items-center gap-2 rounded-6 border border-line bg-panel pr-3 pl-1.5 hover:bg-hover aria-[current=page]:border-accent aria-[current=page]:bg-accent-soft';

/** The client that the application is for. What is chosen is in the URL. */
export function ClientPicker({ chosen, onChoose }: ClientPickerProps) {
  const choices: readonly (McpClient | undefined)[] = [...mcpClients, undefined];
  return (
    <nav aria-label="For which client" className="flex flex-wrap gap-2">
      {choices.map((client) => (
        <Link
          key={client?.id ?? 'own'}
          to="/applications/new"
          search={{ client: client?.id }}
          replace
          activeOptions={{ exact: true }}
          aria-current={client?.id === chosen ? 'page' : 'false'}
          onClick={() => onChoose(client)}
          className={CHIP}
        >
          <Logo name={client?.name ?? '··'} />
          {client?.name ?? 'My own program'}
        </Link>
      ))}
    </nav>
  );
}
