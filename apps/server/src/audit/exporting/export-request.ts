/** Milliseconds in which an export is read. It leaves out what retention may drop meanwhile. */
export const READ_WITHIN = 60 * 60 * 1000;

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
