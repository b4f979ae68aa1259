import type { Integration } from '@gatehouse/sdk';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { Command, CommandGroup } from '../../components/command-dialog.tsx';
import type { IconName } from '../../components/icon.tsx';
import { useIsAdmin, useMe } from '../../shell/me.ts';
import { accessOf } from '../access/search.ts';
import {
  applicationDirectory,
  type Directory,
  type Entry,
  groupDirectory,
  peopleDirectory,
} from '../directory.ts';
import { integrationsQuery } from '../integrations/queries.ts';
import { hostOf } from '../integrations/status.tsx';
import { itemsOf } from '../pages.ts';
import { cut, narrowed } from './narrow.ts';

interface Names {
  readonly groups: readonly CommandGroup[];
  readonly isSearching: boolean;
  /** Whether there are older ones that are not searched. */
  readonly isPartial: boolean;
  readonly error: unknown;
}

/** What has a name with the words of a text. People and groups are asked for by admins alone. */
export function useNames(text: string): Names {
  const me = useMe();
  const isAdmin = useIsAdmin();
  const navigate = useNavigate();
  const name = useSettled(text.trim());
  const isOn = name !== '' && text.trim() !== '';
  const integrations = useInfiniteQuery({
    ...integrationsQuery({ name }),
    enabled: isOn,
    refetchInterval: false,
    placeholderData: keepPreviousData,
  });
  const applications = useQuery({ ...applicationDirectory(me), enabled: isOn });
  const people = useQuery({ ...peopleDirectory(me), enabled: isOn && isAdmin });
  const groups = useQuery({ ...groupDirectory, enabled: isOn && isAdmin });
  if (!isOn)
    return { groups: [], isSearching: text.trim() !== name, isPartial: false, error: null };
  const queries = [integrations, applications, people, groups];
  const found = [
    groupOf('Integrations', 'plug', entriesOf(integrations.data), ({ id }) =>
      navigate({ to: '/integrations/$id', params: { id } }),
    ),
    groupOf('Applications', 'application', applications.data?.entries, ({ id }) =>
      navigate({ to: '/applications/$id', params: { id } }),
    ),
    groupOf('People', 'people', people.data?.entries, ({ hint }) =>
      navigate({ to: '/people', search: { find: hint } }),
    ),
    accessGroup(people.data?.entries, ({ id }) =>
      navigate({ to: '/access', search: accessOf(id) }),
    ),
    groupOf('Groups', 'group', groups.data?.entries, ({ id }) =>
      navigate({ to: '/groups/$id', params: { id } }),
    ),
  ];
  const directories: readonly (Directory | undefined)[] = [
    applications.data,
    people.data,
    groups.data,
  ];
  return {
    groups: found.map((group) => cut(narrowed(group, text))),
    isSearching: text.trim() !== name || queries.some(({ isFetching }) => isFetching),
    isPartial: directories.some((directory) => directory?.isPartial),
    error: queries.find(({ error }) => error !== null)?.error ?? null,
  };
}

function groupOf(
  label: string,
  icon: IconName,
  entries: readonly Entry[] = [],
  open: (entry: Entry) => unknown,
): CommandGroup {
  const items = entries.map((entry): Command => {
    const { id, name, hint } = entry;
    return { id, label: name, hint, icon, run: () => void open(entry) };
  });
  return { label, items };
}

/** What each person reaches and what not, and why. */
function accessGroup(
  entries: readonly Entry[] | undefined,
  open: (entry: Entry) => unknown,
): CommandGroup {
  const named = entries?.map((entry) => ({ ...entry, name: `Access of ${entry.name}` }));
  return groupOf('Access', 'graph', named, open);
}

type IntegrationPages = Parameters<typeof itemsOf<Integration>>[0];

function entriesOf(pages: IntegrationPages | undefined): readonly Entry[] | undefined {
  return pages && itemsOf(pages).map(({ id, name, url }) => ({ id, name, hint: hostOf(url) }));
}

/** Long enough that a word is searched for, and not each of its letters. */
const PAUSE = 200;

/** A text that is no longer typed at. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
