/** The errors of the program and their exit codes. */
import { ParleyError } from '@parley/sdk';

export const EXIT = {
  ok: 0,
  failed: 1,
  usage: 2,
  /** Not signed in, or the key was refused. */
  key: 3,
  /** Parley did not respond. */
  offline: 4,
  interrupted: 130,
} as const;

/** An error that the user can correct. Its message is shown without a stack. */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly exit: number;

  constructor(message: string, exit: number = EXIT.failed) {
    super(message);
    this.exit = exit;
  }
}

export const usageError = (message: string): CliError => new CliError(message, EXIT.usage);

interface Report {
  exit: number;
  message: string;
  code?: number;
  status?: number;
  field?: string;
  request_id?: string;
}

const REFUSED_KEY: ReadonlySet<number> = new Set([401, 403]);

export function describeError(error: unknown): Report {
  if (error instanceof ParleyError) return describeRefusal(error);
  if (error instanceof CliError) return { exit: error.exit, message: error.message };
  if (error instanceof Error && 'code' in error && typeof error.code === 'string')
    return { exit: EXIT.failed, message: error.message };
  return { exit: EXIT.failed, message: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}

function describeRefusal({ status, code, field, request_id, errors, message, cause }: ParleyError): Report {
  if (status === 0) return { exit: EXIT.offline, message: `${message}${reason(cause)}`, code: 0, status };
  // A field with several errors is reported once for each error.
  const messages = [...new Set(errors.map((one) => one.message))];
  return {
    exit: REFUSED_KEY.has(status) ? EXIT.key : EXIT.failed,
    message: messages.length > 0 ? messages.join('\n') : message,
    ...{ code, status },
    ...(field === undefined ? {} : { field }),
    ...(request_id === undefined ? {} : { request_id }),
  };
}

/** The reason why a connection failed, such as ECONNREFUSED. */
export function reason(cause: unknown): string {
  const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause;
  if (!(inner instanceof Error)) return '';
  const code = 'code' in inner && typeof inner.code === 'string' ? inner.code : inner.name;
  return `: ${inner.message || code}`;
}
