/** What every story starts from. */
export interface Surroundings {
  /** Where Gatehouse is, such as `https://gatehouse.example.com/api/v1`. */
  readonly baseUrl: string;
  /** Of an owner or admin. */
  readonly accessToken: string;
  /** An MCP server. */
  readonly mcpUrl: string;
  /** The bearer token that the MCP server wants. */
  readonly mcpToken: string;
}

/** Told of each step of a story as it is done. */
export type Say = (line: string) => void;
