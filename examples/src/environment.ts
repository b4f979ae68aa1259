/** What every example starts with. */
export interface Environment {
  /** Where Gatehouse is, such as `https://gatehouse.example.com/api/v1`. */
  readonly baseUrl: string;
  /** The token of an owner or admin. */
  readonly accessToken: string;
  /** An MCP server. */
  readonly mcpUrl: string;
  /** The bearer token that the MCP server requires. */
  readonly mcpToken: string;
}

/** What an example starts with that signs a person in. */
export interface SignInEnvironment extends Environment {
  /** Shows a page to a person who is signed in to Gatehouse. */
  readonly openBrowser: (url: string) => Promise<void>;
}

/** Called with a line for each step of an example. */
export type Print = (line: string) => void;
