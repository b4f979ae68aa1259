import { Link } from '@tanstack/react-router';
import { buttonClass } from '../components/button.tsx';
import { Empty } from '../components/empty.tsx';

interface NothingFoundProps {
  readonly sentence: string;
  /** The list without filters. */
  readonly to: '/integrations' | '/people' | '/groups' | '/tokens' | '/activity';
}

/** The filters of a list hide all that is loaded. */
export function NothingFound({ sentence, to }: NothingFoundProps) {
  return (
    <Empty
      sentence={sentence}
      action={
        <Link to={to} className={buttonClass()}>
          Show all
        </Link>
      }
    />
  );
}
