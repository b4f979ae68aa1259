/** The page on which a person connects an integration. Without a token: the person signs in there. @param publicUrl our origin */
export function connectUrlOf(publicUrl: string, integrationId: string): string {
  return `${publicUrl}/connect?integration=${integrationId}`;
}
