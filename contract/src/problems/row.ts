/** One row of the catalog, keyed by the name of the problem. */
export interface Row {
  /** The number on the wire. It never changes, because clients switch on it. */
  readonly code: number;
  /** The HTTP status. */
  readonly status: number;
  /**
   * For the customer: what happened, then what to do. A text with several sentences ends with a period, and a single
   * sentence does not.
   */
  readonly public: string;
  /** The request field that the problem belongs to. */
  readonly field?: string;
  /** The text for operators and logs, if the cause is operational or the public text omits something. */
  readonly internal?: string;
}
export type Rows = Readonly<Record<string, Row>>;
