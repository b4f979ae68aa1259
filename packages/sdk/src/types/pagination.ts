/**
 * The page of a list to return.
 */
export interface PageQuery {
  /** Items per page, 50 by default; more than 100 is lowered to 100. */
  readonly limit?: number | undefined;
  /** `nextCursor` of an earlier page, to continue after it. */
  readonly cursor?: string | undefined;
}
