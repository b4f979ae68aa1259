/** The page on which a person connects an integration. Without a token: the person signs in there. @param publicUrl our origin */
export function connectUrlOf(publicUrl: string, integrationId: string): string {
  return `${publicUrl}/connect?integration=${integrationId}`;
}

/** The page on which a person agrees that a grant also covers the integration of that page, and then connects. */
export function consentUrlOf(connectUrl: string, grantId: string): string {
  return `${connectUrl}&grant=${grantId}`;
}
