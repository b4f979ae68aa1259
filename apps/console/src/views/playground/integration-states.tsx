import { ListState } from '../applications/list-state.tsx';
import type { StatesById } from './mcp/integration-states.ts';

/** Rows that are shown. */
const MOST = 20;

interface IntegrationStatesProps {
  readonly states: StatesById;
  /** Of the integrations, by their ids. */
  readonly names: ReadonlyMap<string, string>;
}

/** Why integrations behind the one URL are not listed as they are now. */
export function IntegrationStates({ states, names }: IntegrationStatesProps) {
  const known = [...states].filter(([id, state]) => state !== 'ok' && names.has(id));
  if (known.length === 0) return null;
  return (
    <section aria-label="Integrations with problems" className="border-t border-line px-4 py-2.5">
      <ul className="grid gap-1">
        {known.slice(0, MOST).map(([id, state]) => (
          <li key={id}>
            <span className="foreign font-medium">{names.get(id)}</span>
            <ListState id={id} state={state} />
          </li>
        ))}
      </ul>
      {known.length > MOST && (
        <p className="text-ink-2">
          And {known.length - MOST} more. The application’s page shows all of them.
        </p>
      )}
    </section>
  );
}
