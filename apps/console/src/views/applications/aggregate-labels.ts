import type { AggregateListState, AggregateMode, LeftOutReason } from '@gatehouse/contract';
import type { Tone } from '../../components/status.tsx';

export const modeLabels: Readonly<
  Record<AggregateMode, { readonly label: string; readonly sentence: string }>
> = {
  list: {
    label: 'List everything',
    sentence: 'Clients see the tools of all integrations.',
  },
  search: {
    label: 'Search for tools',
    sentence: 'Clients see a tool that searches and one that calls what it found: for many tools.',
  },
  off: {
    label: 'No such URL',
    sentence: 'Clients use the URL of each integration.',
  },
};

export const listStates: Readonly<
  Record<
    AggregateListState,
    { readonly tone: Tone; readonly label: string; readonly sentence: string }
  >
> = {
  ok: { tone: 'ok', label: 'Listed', sentence: '' },
  partial: {
    tone: 'warn',
    label: 'Not all listed',
    sentence: 'It has more than is read of one list. What was read is shown.',
  },
  stale: {
    tone: 'warn',
    label: 'From before',
    sentence: 'It does not answer now, so what it listed last is shown.',
  },
  late: {
    tone: 'warn',
    label: 'Too slow',
    sentence: 'It has not answered in time. It is listed once it answers.',
  },
  failed: {
    tone: 'bad',
    label: 'Not listed',
    sentence: 'It gives no list, or an admin has to look after its credential.',
  },
  connect: {
    tone: 'warn',
    label: 'Needs you',
    sentence: 'Connect your account there, and its tools appear.',
  },
  refused: {
    tone: 'idle',
    label: 'Needs a person',
    sentence: 'Only people have an account there.',
  },
  unread: {
    tone: 'idle',
    label: 'Not read yet',
    sentence: 'No client of yours has asked for its lists here since Gatehouse started.',
  },
};

export const leftOutKinds: Readonly<Record<string, string>> = {
  tool: 'Tool',
  prompt: 'Prompt',
  resource: 'Resource',
  resource_template: 'Resource template',
};

export const leftOutReasons: Readonly<Record<LeftOutReason, string>> = {
  name_not_unique: 'Another one of the integration would have the same name here.',
  alias_of_another: 'Its name begins like those of another integration. Change one of the aliases.',
  reserved_name: 'Its name begins like those of Gatehouse. Give the integration an alias.',
  offered_by_another:
    'Another integration has the same address: it was attached earlier, or its tool names the page.',
  needs_task:
    'It runs as a task only, which this URL does not offer. Use the URL of its integration.',
  entry_too_large: 'Its description is larger than 1 MiB.',
  unidentified: 'It has no name that clients could use.',
  ambiguous: 'Clients could read its description differently.',
};
