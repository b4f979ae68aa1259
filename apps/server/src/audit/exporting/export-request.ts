/** What an export has. */
export interface ExportRequest {
  /** Null for all of them. */
  readonly organizationId: string | null;
  /** RFC 3339: the times at which blocks were made. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** The version of Gatehouse. */
  readonly writtenBy: string;
}
