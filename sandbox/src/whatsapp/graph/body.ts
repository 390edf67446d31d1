/** Reads the bodies of calls field by field and rejects them as the Graph API does. */
import { invalidValue, missing } from './graph_error.ts';

export type Body = Record<string, unknown>;

export function object(value: unknown, where: string): Body {
  if (value === undefined || value === null) throw missing(where);
  if (typeof value !== 'object' || Array.isArray(value)) throw invalidValue(`${where} must be an object`);
  return value as Body;
}

export function list(value: unknown, where: string, max: number): unknown[] {
  if (value === undefined || value === null) throw missing(where);
  if (!Array.isArray(value)) throw invalidValue(`${where} must be a list`);
  if (value.length === 0 || value.length > max) throw invalidValue(`${where} must have 1 to ${max} items`);
  return value;
}

export function text(body: Body, field: string, where: string, max: number): string {
  const value = body[field];
  const name = where ? `${where}.${field}` : field;
  if (value === undefined || value === null || value === '') throw missing(name);
  if (typeof value !== 'string') throw invalidValue(`${name} must be a string`);
  if (value.trim() === '') throw invalidValue(`${name} must not be blank`);
  if (value.length > max) throw invalidValue(`${name} may have at most ${max} characters, not ${value.length}`);
  if (!value.isWellFormed() || value.includes('\0'))
    throw invalidValue(`${name} contains characters that no message can carry`);
  return value;
}

export function optionalText(body: Body, field: string, where: string, max: number): string | undefined {
  const value = body[field];
  return value === undefined || value === null || value === '' ? undefined : text(body, field, where, max);
}

export function unique(values: string[], name: string): void {
  if (new Set(values).size < values.length) throw invalidValue(`${name} must be unique`);
}
