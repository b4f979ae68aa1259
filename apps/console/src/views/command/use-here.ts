import { useQueryClient } from '@tanstack/react-query';
import { useMatch, useNavigate } from '@tanstack/react-router';
import type { Command, CommandGroup } from '../../components/command-dialog.tsx';
import { useIsAdmin } from '../../shell/me.ts';
import { applicationQuery } from '../applications/queries.ts';
import { restoreNow as restoreApplication } from '../applications/restore-now.ts';
import { archiveNow, restoreNow } from '../integrations/archiving.ts';
import { nextStepOf } from '../integrations/next-step.ts';
import { integrationQuery } from '../integrations/queries.ts';
import { validateNow } from '../integrations/use-validation.ts';

const INTEGRATION_TABS = [
  ['tools', 'Tools'],
  ['prompts', 'Prompts'],
  ['resources', 'Resources'],
  ['connections', 'Connections'],
  ['applications', 'Applications'],
  ['policy', 'Policy'],
  ['history', 'History'],
] as const;

const APPLICATION_TABS = [
  ['client', 'Connect a client'],
  ['integrations', 'Integrations'],
  ['sessions', 'Sessions'],
  ['settings', 'Settings'],
] as const;

const HISTORY = ['history', 'History'] as const;

/** What can be done with the integration or application that is open, as its buttons do it. */
export function useHere(): CommandGroup {
  const ofIntegration = useIntegrationCommands();
  const ofApplication = useApplicationCommands();
  return ofIntegration.length > 0
    ? { label: 'This integration', items: ofIntegration }
    : { label: 'This application', items: ofApplication };
}

function command(label: string, icon: Command['icon'], run: () => unknown): Command {
  return { id: `here ${label}`, label, icon, run: () => void run() };
}

function useIntegrationCommands(): readonly Command[] {
  const id = useMatch({ from: '/integrations/$id', shouldThrow: false })?.params.id;
  const navigate = useNavigate();
  const queries = useQueryClient();
  const isAdmin = useIsAdmin();
  if (id === undefined || !isAdmin) return [];
  const tabs = [
    ...INTEGRATION_TABS.map(([tab, label]) =>
      command(label, 'plug', () =>
        navigate({ to: '/integrations/$id', params: { id }, search: { tab } }),
      ),
    ),
    command('Its usage', 'pulse', () =>
      navigate({ to: '/activity/usage', search: { integration: id, rows: 'tool' } }),
    ),
  ];
  const integration = queries.getQueryData(integrationQuery(id).queryKey)?.integration;
  if (integration === undefined) return tabs;
  if (integration.archivedAt !== null) {
    return [command('Restore', 'check', () => restoreNow(queries, integration)), ...tabs];
  }
  const nextStep = nextStepOf(integration);
  const steps = [
    nextStep === 'connect' &&
      command('Connect your account', 'key', () =>
        navigate({ to: '/connections', search: { connect: id } }),
      ),
    integration.authMode === 'oauth' &&
      command('Enter a client', 'key', () =>
        navigate({ to: '/integrations/$id', params: { id }, search: { client: true } }),
      ),
  ];
  return [
    ...steps.filter((step) => step !== false),
    command('Validate again', 'check', () => validateNow(queries, id)),
    command('Edit', 'settings', () => navigate({ to: '/integrations/$id/edit', params: { id } })),
    command('Archive', 'cross', () => archiveNow(queries, integration)),
    ...tabs,
  ];
}

function useApplicationCommands(): readonly Command[] {
  const id = useMatch({ from: '/applications/$id', shouldThrow: false })?.params.id;
  const navigate = useNavigate();
  const queries = useQueryClient();
  const ofAdmins = useIsAdmin() ? [HISTORY] : [];
  if (id === undefined) return [];
  const to = '/applications/$id';
  const tabs = [
    ...[...APPLICATION_TABS, ...ofAdmins].map(([tab, label]) =>
      command(label, 'application', () => navigate({ to, params: { id }, search: { tab } })),
    ),
    command('Its usage', 'pulse', () =>
      navigate({ to: '/activity/usage', search: { application: id, rows: 'tool' } }),
    ),
  ];
  const application = queries.getQueryData(applicationQuery(id).queryKey)?.application;
  if (application === undefined) return tabs;
  if (application.archivedAt !== null) {
    return [command('Restore', 'check', () => restoreApplication(queries, application)), ...tabs];
  }
  if (!application.canModify) return tabs;
  // What else the URL says stays: a form may have been begun below the dialog.
  const ask = (asked: 'revoke' | 'archive') =>
    navigate({ from: to, search: (search) => ({ ...search, ask: asked }), replace: true });
  return [
    command('Attach integrations', 'plus', () =>
      navigate({ to, params: { id }, search: { tab: 'integrations', ask: 'attach' } }),
    ),
    command('End its sessions', 'pulse', () =>
      navigate({ to: '/activity', search: { application: id, end: true } }),
    ),
    command('Revoke access', 'cross', () => ask('revoke')),
    command('Archive', 'cross', () => ask('archive')),
    ...tabs,
  ];
}
