import { isApiError } from '@gatehouse/sdk';

/** A policy that names a group, as the path in the message of `group_in_use` says it. */
export interface Place {
  readonly integrationId: string;
  readonly applicationId: string | undefined;
}

const PATH =
  /(?:\/applications\/(?<application>[0-9a-f-]{36}))?\/integrations\/(?<integration>[0-9a-f-]{36})\/policy/;

/** Where a group is named, if that is why it cannot be deleted. */
export function placesOf(error: unknown): readonly Place[] | undefined {
  if (!isApiError(error) || error.code !== 'group_in_use') return undefined;
  return (error.problem?.errors ?? []).flatMap(({ message }) => {
    const groups = PATH.exec(message)?.groups;
    if (groups?.integration === undefined) return [];
    return [{ integrationId: groups.integration, applicationId: groups.application }];
  });
}
