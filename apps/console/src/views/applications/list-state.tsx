import { Link } from '@tanstack/react-router';
import { entryOf } from '../../api/labels.ts';
import { buttonClass } from '../../components/button.tsx';
import { Status } from '../../components/status.tsx';
import { listStates } from './aggregate-labels.ts';

interface ListStateProps {
  /** Of the integration. */
  readonly id: string;
  readonly state: string;
  /** What it lists, in words. */
  readonly listed?: string;
}

/** How an integration is at the one URL, and what helps. */
export function ListState({ id, state, listed }: ListStateProps) {
  const known = entryOf(listStates, state);
  const isListed = state === 'ok' || state === 'partial' || state === 'stale';
  return (
    <span className="grid justify-items-start gap-0.5 py-1.5">
      <Status tone={known?.tone ?? 'idle'}>{known?.label ?? state}</Status>
      {isListed && listed !== undefined && <span className="text-12 text-ink-2">{listed}</span>}
      {known !== undefined && known.sentence !== '' && (
        <span className="text-12 text-ink-2">{known.sentence}</span>
      )}
      {state === 'connect' && (
        <Link
          to="/connections"
          search={{ connect: id }}
          className={buttonClass('secondary', 'small')}
        >
          Connect
        </Link>
      )}
    </span>
  );
}
