import { Link } from '@tanstack/react-router';
import { buttonClass } from '../components/button.tsx';
import { Empty } from '../components/empty.tsx';
import { PageHead } from '../components/page-head.tsx';
import { Panel } from '../components/panel.tsx';

export function NotFound() {
  return (
    <>
      <PageHead title="There is no such view" sentence="The address is not one of the console." />
      <Panel>
        <Empty
          sentence="The link may be old, or it was cut."
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
