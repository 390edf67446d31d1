/**
 * Compares the input of a call with its schema before the schema parses it. Only this module makes input strict: every
 * field that the schema does not list is unknown. Enum values are accepted in any case.
 */

import type { z } from 'zod';
import { matchWord } from './common.ts';

interface Comparison {
  /** The value without its unknown fields, and with enum values in the spelling of the schema. */
  value: unknown;
  /** The paths of all unknown fields, such as `contacts.0.tags`. */
  unknown: string[];
}

type Schema = z.core.$ZodTypes;
type Fields = Readonly<Record<string, z.core.$ZodType>>;

/** A call without a schema takes no fields. */
export function compareInput(schema: z.ZodType | undefined, value: unknown): Comparison {
  const unknown: string[] = [];
  const compared = schema ? compare(schema, value, '', unknown) : compareFields({}, undefined, value, '', unknown);
  return { value: compared, unknown };
}

function compare(schema: z.core.$ZodType, value: unknown, path: string, unknown: string[]): unknown {
  const { def } = (schema as Schema)._zod;
  switch (def.type) {
    case 'object':
      return compareFields(def.shape, def.catchall, value, path, unknown);
    case 'record':
      return compareFields({}, def.valueType, value, path, unknown);
    case 'array':
      return Array.isArray(value)
        ? value.map((item, index) => compare(def.element, item, join(path, index), unknown))
        : value;
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'nonoptional':
    case 'readonly':
    case 'catch':
      return compare(def.innerType, value, path, unknown);
    case 'lazy':
      return compare(def.getter(), value, path, unknown);
    case 'pipe':
      // `preprocess` is a transformation followed by the schema of the input.
      return compare((def.in as Schema)._zod.def.type === 'transform' ? def.out : def.in, value, path, unknown);
    case 'union':
      return compareOptions(chosenOptions(def, value), value, path, unknown);
    case 'enum':
      return typeof value === 'string' ? matchWord(Object.values(def.entries), value) : value;
    case 'literal':
      return typeof value === 'string' ? matchWord(def.values, value) : value;
    default:
      return value;
  }
}

/** `rest` is the schema of the fields that `fields` does not name. Without it, there may be none. */
function compareFields(
  fields: Fields,
  rest: z.core.$ZodType | undefined,
  value: unknown,
  path: string,
  unknown: string[],
): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const isOpen = rest !== undefined && (rest as Schema)._zod.def.type !== 'never';
  const known = Object.entries(value).flatMap(([name, item]) => {
    const field = Object.hasOwn(fields, name) ? fields[name] : isOpen ? rest : undefined;
    if (field) return [[name, compare(field, item, join(path, name), unknown)] as const];
    unknown.push(join(path, name));
    return [];
  });
  return Object.fromEntries(known);
}

/** The option that the value names by its discriminator, or all options. */
function chosenOptions(def: z.core.$ZodUnionDef & { discriminator?: string }, value: unknown) {
  const { discriminator, options } = def;
  if (discriminator === undefined || typeof value !== 'object' || value === null) return options;
  const name = (value as Record<string, unknown>)[discriminator];
  const chosen = options.filter((option) => {
    const field = ((option as Schema)._zod.def as z.core.$ZodObjectDef).shape[discriminator];
    return field !== undefined && (field as z.ZodType).safeParse(compare(field, name, '', [])).success;
  });
  return chosen.length > 0 ? chosen : options;
}

/** Compares the value with the first option that accepts it, or with the option that has most of its fields. */
function compareOptions(options: readonly z.core.$ZodType[], value: unknown, path: string, unknown: string[]): unknown {
  const comparisons = options.map((option) => {
    const found: string[] = [];
    const compared = compare(option, value, path, found);
    return { value: compared, found, isAccepted: (option as z.ZodType).safeParse(compared).success };
  });
  comparisons.sort(
    (one, other) => Number(other.isAccepted) - Number(one.isAccepted) || one.found.length - other.found.length,
  );
  const [best] = comparisons;
  unknown.push(...(best?.found ?? []));
  return best?.value;
}

const join = (path: string, name: string | number): string => (path === '' ? String(name) : `${path}.${name}`);
