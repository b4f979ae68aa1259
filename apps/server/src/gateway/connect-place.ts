/** An integration, and where a person connects to it. */
export interface ConnectPlace {
  readonly integrationId: string;
  /** Without a token: the person signs in there. */
  readonly connectUrl: string;
}

/** @param publicUrl our origin */
export function connectPlaceOf(publicUrl: string, integrationId: string): ConnectPlace {
  return { integrationId, connectUrl: `${publicUrl}/connect?integration=${integrationId}` };
}
