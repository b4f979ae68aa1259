import { Empty } from '../../components/empty.tsx';
import { NothingFound } from '../nothing-found.tsx';

interface NoSessionsProps {
  readonly isFiltered: boolean;
  /** Whether the service has not looked through all of them. */
  readonly hasMore: boolean;
}

export function NoSessions({ isFiltered, hasMore }: NoSessionsProps) {
  if (!isFiltered) {
    return (
      <Empty sentence="There is no session yet. One begins with the first call of a client." />
    );
  }
  const sentence = hasMore
    ? 'No session among the newest matches these filters. Older ones may.'
    : 'No session matches these filters.';
  return <NothingFound sentence={sentence} to="/activity" />;
}
