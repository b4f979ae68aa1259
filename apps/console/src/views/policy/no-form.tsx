import { Empty } from '../../components/empty.tsx';
import { Panel } from '../../components/panel.tsx';

/** Rules that a newer service has written, or an older one. A form would lose what it cannot show. */
export function UnknownRules() {
  return (
    <Panel>
      <Empty sentence="This form cannot show all of these rules. They stay as they are; change them through the API." />
    </Panel>
  );
}

export function ArchivedRules({ of }: { of: 'integration' | 'application' }) {
  return (
    <Panel>
      <Empty
        sentence={`The ${of} is archived: its rules cannot be changed until it is restored.`}
      />
    </Panel>
  );
}
