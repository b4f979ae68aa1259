import type { ErrorComponentProps } from '@tanstack/react-router';
import { Panel } from '../components/panel.tsx';
import { Problem } from '../components/problem.tsx';

/** In the place of a view that cannot be shown: its files are gone after an upgrade, or it has a fault. */
export function Failed({ error }: ErrorComponentProps) {
  return (
    <Panel>
      <Problem
        error={error}
        meaning="The view could not be shown. After an upgrade of Gatehouse, loading the page again helps."
        onRetry={() => location.reload()}
      />
    </Panel>
  );
}
