import { Link } from '@tanstack/react-router';
import { buttonClass } from '../../components/button.tsx';
import { Empty } from '../../components/empty.tsx';
import { Panel } from '../../components/panel.tsx';
import { Events } from './events.tsx';
import type { LogFilter } from './search.ts';
import { useIsAtTop } from './use-is-at-top.ts';

interface HistoryProps {
  /** What is looked at. */
  readonly of: Pick<LogFilter, 'applicationId' | 'integrationId'>;
}

/** What was changed about an application or integration, and by whom. For admins. */
export function History({ of }: HistoryProps) {
  const filter: LogFilter = { ...of, kind: 'management' };
  const isAtTop = useIsAtTop();
  const all = (
    <Link to="/activity/log" search={of} className={buttonClass('secondary', 'small')}>
      With its calls, in the log
    </Link>
  );
  return (
    <Panel title="What was changed, and by whom" aside={all}>
      <Events
        filter={filter}
        isFollowing={isAtTop}
        empty={<Empty sentence="No change of it is recorded." />}
      />
    </Panel>
  );
}
