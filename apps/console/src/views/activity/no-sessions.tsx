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
    ? 'No session among the newest has all of this. Older ones may.'
    : 'No session has all of this.';
  return <NothingFound sentence={sentence} to="/activity" />;
}
