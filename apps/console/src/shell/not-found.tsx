import { Link } from '@tanstack/react-router';
import { buttonClass } from '../components/button.tsx';
import { Empty } from '../components/empty.tsx';
import { PageHead } from '../components/page-head.tsx';
import { Panel } from '../components/panel.tsx';

export function NotFound() {
  return (
    <>
      <PageHead title="There is no such view" sentence="The console has no page at this address." />
      <Panel>
        <Empty
          sentence="The link may be old or incomplete."
          action={
            <Link to="/" className={buttonClass('primary')}>
              Go home
            </Link>
          }
        />
      </Panel>
    </>
  );
}
