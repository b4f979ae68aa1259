/** What is called: an integration by its own URL, or all of an application by its one URL. */
export interface Target {
  readonly mcpUrl: string;
  /** Of the integration or the application. */
  readonly name: string;
  /** The names of the integrations behind the one URL, by their ids; undefined for one integration. */
  readonly integrations: ReadonlyMap<string, string> | undefined;
}
