/** What a result contains besides status and body. */
export interface ResultExtras {
  /** Sent as the `ETag`. */
  readonly version?: number;
  /** URL of what was created, or a path below `/api/v1`, sent as the `Location`. */
  readonly location?: string;
  /** The row of the one-time secret in the body. */
  readonly secretOf?: string;
}

export interface AnyResult extends ResultExtras {
  readonly status: number;
  readonly body: unknown;
}

/** A result that is stored for replay. */
export interface StoredResult {
  readonly body: string;
  readonly createdAt: number;
  readonly secretOf: string | undefined;
  /** Absent once its secret has been replaced or revoked. */
  readonly result: AnyResult | undefined;
}
