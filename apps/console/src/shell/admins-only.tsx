import { Empty } from '../components/empty.tsx';
import { PageHead } from '../components/page-head.tsx';
import { Panel } from '../components/panel.tsx';

/** What a member reads at the address of an admin's view. Nothing is fetched for it. */
export function AdminsOnly({ title }: { title: string }) {
  return (
    <>
      <PageHead title={title} sentence="This view is for owners and admins." />
      <Panel>
        <Empty sentence="Ask an admin of your organization to do this, or to make you one." />
      </Panel>
    </>
  );
}
