/** One row of the catalog, keyed by the name of the problem. */
export interface Row {
  /** The number on the wire. It never changes, because clients switch on it. */
  readonly code: number;
  /** The HTTP status. */
  readonly status: number;
  /** For the customer: what happened, then what to do. Several sentences end with a period, one sentence does not. */
  readonly public: string;
  /** The field of the request that the problem belongs to. */
  readonly field?: string;
  /** For operators and logs, where the cause is operational or the public text leaves something out. */
  readonly internal?: string;
}
export type Rows = Readonly<Record<string, Row>>;
