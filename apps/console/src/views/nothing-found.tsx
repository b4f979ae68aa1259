import { Link } from '@tanstack/react-router';
import { buttonClass } from '../components/button.tsx';
import { Empty } from '../components/empty.tsx';

interface NothingFoundProps {
  readonly sentence: string;
  /** The list without filters. */
  /** Whether there are rows that are not loaded, so that they may be among these. */
  readonly hasMore?: boolean;
  readonly to: '/integrations' | '/people' | '/groups' | '/tokens' | '/activity' | '/activity/log';
}

const MORE = 'Nothing loaded so far matches these filters. Load more to look further.';

/** The filters of a list hide all that is loaded. */
export function NothingFound({ sentence, hasMore = false, to }: NothingFoundProps) {
  return (
    <Empty
      sentence={hasMore ? MORE : sentence}
      action={
        <Link to={to} className={buttonClass()}>
          Show all
        </Link>
      }
    />
  );
}
