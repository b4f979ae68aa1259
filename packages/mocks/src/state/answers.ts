/** What becomes of an answer beside status and body. */
export interface AnswerExtras {
  /** Becomes the `ETag`. */
  readonly version?: number;
  /** Path of a created resource; becomes the `Location`. */
  readonly location?: string;
  /** The row whose one-time secret the answer holds. */
  readonly secretOf?: string;
}

export interface AnyAnswer extends AnswerExtras {
  readonly status: number;
  readonly body: unknown;
}

/** An answer kept for replay. */
export interface StoredAnswer {
  readonly body: string;
  readonly createdAt: number;
  readonly secretOf: string | undefined;
  /** Absent once the secret in it was replaced or revoked. */
  readonly answer: AnyAnswer | undefined;
}
