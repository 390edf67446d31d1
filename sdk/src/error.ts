/** A refused call, or a call without a response. */
export interface Refusal {
  code: number;
  status: number;
  message: string;
  field?: string;
  request_id?: string;
}

export class ParleyError<Code extends number = number> extends Error {
  override readonly name = 'ParleyError';
  /** The code of the first refusal, which never changes; 0 if there was no response from Parley. */
  readonly code: Code;
  /** The HTTP status; 0 without a response. */
  readonly status: number;
  /** The field of the request that is wrong. */
  readonly field: string | undefined;
  /** Quote it when you contact support. */
  readonly request_id: string | undefined;
  /** Everything that is wrong with the request. */
  readonly errors: readonly Refusal[];

  constructor(status: number, errors: readonly Refusal[], message: string, options?: ErrorOptions) {
    super(message, options);
    const [first] = errors;
    this.code = (first?.code ?? 0) as Code;
    this.status = status;
    this.field = first?.field;
    this.request_id = first?.request_id;
    this.errors = errors;
  }
}
