import { useQueryClient } from '@tanstack/react-query';
import { useMatch, useNavigate } from '@tanstack/react-router';
import type { Command, CommandGroup } from '../../components/command-dialog.tsx';
import { useIsAdmin } from '../../shell/me.ts';
import { integrationQuery } from '../integrations/queries.ts';
import { validateNow } from '../integrations/use-validation.ts';

const INTEGRATION_TABS = [
  ['tools', 'Tools'],
  ['connections', 'Connections'],
  ['applications', 'Applications'],
  ['policy', 'Policy'],
] as const;

const APPLICATION_TABS = [
  ['client', 'Connect a client'],
  ['integrations', 'Integrations'],
  ['sessions', 'Sessions'],
  ['settings', 'Settings'],
] as const;

/** What can be done with the integration or application that is open. */
export function useHere(): CommandGroup {
  const ofIntegration = useIntegrationCommands();
  const ofApplication = useApplicationCommands();
  return ofIntegration.length > 0
    ? { label: 'This integration', items: ofIntegration }
    : { label: 'This application', items: ofApplication };
}

function useIntegrationCommands(): readonly Command[] {
  const id = useMatch({ from: '/integrations/$id', shouldThrow: false })?.params.id;
  const navigate = useNavigate();
  const queries = useQueryClient();
  const isAdmin = useIsAdmin();
  if (id === undefined || !isAdmin) return [];
  const read = queries.getQueryData(integrationQuery(id).queryKey);
  const tabs = INTEGRATION_TABS.map(([tab, label]) => ({
    id: `integration ${tab}`,
    label,
    icon: 'plug' as const,
    run: () => void navigate({ to: '/integrations/$id', params: { id }, search: { tab } }),
  }));
  if (read === undefined || read.integration.archivedAt !== null) return tabs;
  return [
    {
      id: 'validate',
      label: 'Validate again',
      icon: 'check',
      run: () => void validateNow(queries, id),
    },
    {
      id: 'edit',
      label: 'Edit',
      icon: 'settings',
      run: () => void navigate({ to: '/integrations/$id/edit', params: { id } }),
    },
    ...tabs,
  ];
}

function useApplicationCommands(): readonly Command[] {
  const id = useMatch({ from: '/applications/$id', shouldThrow: false })?.params.id;
  const navigate = useNavigate();
  if (id === undefined) return [];
  return APPLICATION_TABS.map(([tab, label]) => ({
    id: `application ${tab}`,
    label,
    icon: 'application',
    run: () => void navigate({ to: '/applications/$id', params: { id }, search: { tab } }),
  }));
}
