/** An integration, and the URL that its tools are listed at. */
export interface ToolSource {
  readonly organizationId: string;
  readonly integrationId: string;
  readonly url: string;
}
