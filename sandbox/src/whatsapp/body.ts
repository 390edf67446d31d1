// Reading the bodies of calls: members by name, refused the way the Graph API refuses them.
import { missing, wrong } from './graph_error.ts';

export type Body = Record<string, unknown>;

export function object(value: unknown, where: string): Body {
  if (value === undefined || value === null) throw missing(where);
  if (typeof value !== 'object' || Array.isArray(value)) throw wrong(`${where} must be an object`);
  return value as Body;
}

export function list(value: unknown, where: string, most: number): unknown[] {
  if (value === undefined || value === null) throw missing(where);
  if (!Array.isArray(value)) throw wrong(`${where} must be a list`);
  if (value.length === 0 || value.length > most) throw wrong(`${where} must have 1 to ${most} items`);
  return value;
}

export function text(body: Body, field: string, where: string, most: number): string {
  const value = body[field];
  const name = where ? `${where}.${field}` : field;
  if (value === undefined || value === null || value === '') throw missing(name);
  if (typeof value !== 'string') throw wrong(`${name} must be a string`);
  if (value.trim() === '') throw wrong(`${name} must not be blank`);
  if (value.length > most) throw wrong(`${name} may have at most ${most} characters, not ${value.length}`);
  if (!value.isWellFormed() || value.includes('\0')) throw wrong(`${name} contains characters no message can carry`);
  return value;
}

export function optionalText(body: Body, field: string, where: string, most: number): string | undefined {
  const value = body[field];
  return value === undefined || value === null || value === '' ? undefined : text(body, field, where, most);
}

export function unique(values: string[], what: string): void {
  if (new Set(values).size < values.length) throw wrong(`${what} must differ from each other`);
}
