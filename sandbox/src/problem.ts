/** An API error: a status, a code for programs, and a human-readable sentence. */
export class Problem extends Error {
  readonly status: number;
  readonly code: string;
  readonly field: string | undefined;

  constructor(status: number, code: string, message: string, field?: string) {
    super(message);
    this.status = status;
    this.code = code;
    this.field = field;
  }

  toJSON(): { errors: { code: string; message: string; field?: string }[] } {
    return { errors: [{ code: this.code, message: this.message, ...(this.field ? { field: this.field } : {}) }] };
  }
}

export const notFound = (name: string): Problem => new Problem(404, 'not_found', `${name} does not exist`);
export const invalid = (field: string, message: string): Problem =>
  new Problem(422, 'invalid', `${field} ${message}`, field);

export type Input = Record<string, unknown>;

/** Reads a JSON object and rejects properties that are not in `fields`. A missing body counts as an empty object. */
export function inputObject(body: unknown, fields: readonly string[]): Input {
  if (body === undefined || body === null) return {};
  if (typeof body !== 'object' || Array.isArray(body)) {
    throw new Problem(400, 'malformed', 'the body must be a JSON object');
  }
  for (const field of Object.keys(body)) {
    if (!fields.includes(field)) throw invalid(field, `is unknown; known fields: ${fields.join(', ')}`);
  }
  return body as Input;
}

export function inputString(input: Input, field: string, limits: { min: number; max: number }): string {
  const value = input[field];
  if (typeof value !== 'string') throw invalid(field, 'must be a string');
  if (value.length < limits.min) throw invalid(field, 'must not be empty');
  if (value.length > limits.max) throw invalid(field, `must have at most ${limits.max} characters`);
  if (!value.isWellFormed() || value.includes('\0'))
    throw invalid(field, 'contains characters that no message can carry');
  return value;
}

export function inputFlag(input: Input, field: string): boolean {
  const value = input[field];
  if (typeof value !== 'boolean') throw invalid(field, 'must be true or false');
  return value;
}

export function inputChoice<T extends string>(input: Input, field: string, choices: readonly T[]): T {
  const value = input[field];
  if (!choices.includes(value as T)) throw invalid(field, `must be one of ${choices.join(', ')}`);
  return value as T;
}

export function inputNumber(input: Input, field: string, limits: { min: number; max: number }): number {
  const value = input[field];
  if (typeof value !== 'number' || !Number.isInteger(value) || value < limits.min || value > limits.max) {
    throw invalid(field, `must be a whole number from ${limits.min} to ${limits.max}`);
  }
  return value;
}

/** Reads a number from the query string. */
export function queryNumber(
  query: Input,
  field: string,
  fallback: number,
  limits: { min: number; max: number },
): number {
  const value = query[field];
  if (value === undefined || value === '') return fallback;
  return inputNumber({ [field]: /^\d{1,16}$/.test(String(value)) ? Number(value) : value }, field, limits);
}

export function queryString(query: Input, field: string): string {
  const value = query[field];
  if (value === undefined) return '';
  return inputString(query, field, { min: 0, max: 500 });
}

/** Reads the digits of a typed phone number. Removes spaces, dashes, brackets, and a leading +. */
export function phoneDigits(text: string): string {
  const digits = text
    .trim()
    .replace(/^\+/, '')
    .replace(/[\s().-]/g, '');
  if (!/^\d{3,15}$/.test(digits)) {
    throw new Problem(422, 'invalid', 'a phone number has 3 to 15 digits', 'digits');
  }
  return digits;
}
