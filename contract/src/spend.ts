/** Amounts that an account has spent. Users without permission to see payments or rates receive null instead. */
import { z } from 'zod';
import { type Permissions, permits } from './permission.ts';

const amounts = new WeakSet<z.core.$ZodType>();

/** Marks an amount as spending. */
export function spend<S extends z.ZodType>(schema: S) {
  const amount = schema.nullable().meta({ description: 'Null if the caller cannot view payments or rates.' });
  amounts.add(amount);
  return amount;
}

export const seesSpend = (permissions: Permissions): boolean =>
  permits(permissions, ['PAYMENTS:view', 'INVOICES:view']);

type Path = readonly string[];
/** Matches every item of an array. */
const ITEMS = '*';

function findSpend(schema: z.core.$ZodType, path: Path, found: Path[]): Path[] {
  if (amounts.has(schema)) found.push(path);
  else if (schema instanceof z.ZodObject)
    for (const [key, value] of Object.entries(schema.shape)) findSpend(value as z.core.$ZodType, [...path, key], found);
  else if (schema instanceof z.ZodArray) findSpend(schema.element as z.core.$ZodType, [...path, ITEMS], found);
  else if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional)
    findSpend(schema.unwrap() as z.core.$ZodType, path, found);
  else if (schema instanceof z.ZodUnion)
    for (const option of schema.options) findSpend(option as z.core.$ZodType, path, found);
  return found;
}

const paths = new WeakMap<z.ZodType, readonly Path[]>();

function spendPaths(schema: z.ZodType): readonly Path[] {
  const known = paths.get(schema) ?? findSpend(schema, [], []);
  paths.set(schema, known);
  return known;
}

export const hasSpend = (schema: z.ZodType): boolean => spendPaths(schema).length > 0;

function withoutPath(value: unknown, [key, ...rest]: Path): unknown {
  if (key === undefined) return null;
  if (key === ITEMS) return Array.isArray(value) ? value.map((item) => withoutPath(item, rest)) : value;
  if (typeof value !== 'object' || value === null || !(key in value)) return value;
  return { ...value, [key]: withoutPath((value as Record<string, unknown>)[key], rest) };
}

/** Returns the value with null in place of every amount that the schema marks as spending. */
export const hideSpend = <T>(schema: z.ZodType, value: T): T =>
  spendPaths(schema).reduce<unknown>(withoutPath, value) as T;
