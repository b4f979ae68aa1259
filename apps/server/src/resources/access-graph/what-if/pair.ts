/** An application and an integration, attached or not. */
export interface Pair {
  readonly applicationId: string;
  readonly integrationId: string;
}

export function keyOfPair({ applicationId, integrationId }: Pair): string {
  return `${applicationId} ${integrationId}`;
}
