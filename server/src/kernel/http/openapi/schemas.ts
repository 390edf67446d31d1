/**
 * Converts the contract's schemas to JSON Schema. A schema that the contract exports has its name in the document, and
 * is written once.
 */
import { z } from 'zod';
import { describeField } from './fields.ts';

export type Json = Record<string, unknown>;
type Direction = 'input' | 'output';

export interface SchemaStore {
  /** Returns the schema, or a reference to it if it has a name or describes an object. */
  convert(type: z.ZodType, io: Direction, name?: string): Json;
  /** All named schemas, in alphabetical order. */
  components(): Record<string, Json>;
}

/** Marks the JSON of a named schema until it is moved to the components. */
const NAME = 'x-schema-name';

export function schemaStore(names: ReadonlyMap<z.ZodType, string>): SchemaStore {
  const byName = new Map<string, Json>();
  const byShape = new Map<string, string>();

  function register(name: string, shape: Json, io: Direction): Json {
    const text = JSON.stringify(shape);
    const known = byShape.get(text) ?? freeName(byName, name, io);
    byShape.set(text, known);
    byName.set(known, shape);
    return { $ref: `#/components/schemas/${known}` };
  }

  /** Moves named schemas to the components, from the innermost to the outermost. */
  function move(json: Json, io: Direction, name?: string): Json {
    const { [NAME]: own, ...rest } = json;
    const shape = mapSchemas(rest, (inner) => move(inner, io));
    const chosen = (own as string | undefined) ?? name;
    return chosen && isWorthName(shape) ? register(chosen, shape, io) : shape;
  }

  return {
    convert: (type, io, name) => move(toJson(type, io, names), io, name),
    components: () => Object.fromEntries([...byName].sort(([a], [b]) => a.localeCompare(b))),
  };
}

function freeName(taken: ReadonlyMap<string, unknown>, name: string, io: Direction): string {
  const base = io === 'input' && taken.has(name) && !name.endsWith('Input') ? `${name}Input` : name;
  let free = base;
  for (let number = 2; taken.has(free); number++) free = `${base}${number}`;
  return free;
}

const isWorthName = ({ properties, anyOf, oneOf }: Json): boolean =>
  properties !== undefined || [anyOf, oneOf].some((options) => Array.isArray(options) && options.length > 1);

function toJson(type: z.ZodType, io: Direction, names: ReadonlyMap<z.ZodType, string>): Json {
  const { $schema: _, ...json } = z.toJSONSchema(type, {
    io,
    unrepresentable: 'any',
    target: 'draft-2020-12',
    override({ zodSchema, jsonSchema }) {
      const json = jsonSchema as Json;
      if (io === 'input') describeInput(zodSchema, json);
      // Clients must accept fields that a later version adds to a response.
      else if (json.additionalProperties === false) delete json.additionalProperties;
      simplify(json);
      const name = names.get(zodSchema as unknown as z.ZodType);
      if (name) json[NAME] = name;
    },
  }) as Json;
  return json;
}

/** Returns the schema of an input without references. */
export function inputSchema(type: z.ZodType): Json {
  const describe = (json: Json): Json => mapSchemas(json, describe);
  return describe(toJson(type, 'input', new Map()));
}

/** Adds what the server refuses (`strict.ts` in the contract), and what it accepts after a transformation. */
function describeInput({ _zod: { def } }: z.core.$ZodTypes, json: Json): void {
  if (def.type === 'object' && isClosed(def.catchall)) json.additionalProperties = false;
  if (def.type !== 'pipe') return;
  const result = listedValues(def.out);
  // Words are accepted in any case, but clients send them as they are listed.
  if (result?.enum && json.type === 'string') Object.assign(json, { enum: result.enum });
  // A list is sent in a query as `a,b,c`. In a body, it is an array.
  if (result?.type === 'array' && isTextOrList(json)) {
    delete json.anyOf;
    delete json.type;
    Object.assign(json, { type: 'array', items: result.items, maxItems: result.maxItems });
  }
}

/** Generated clients choose their types by the format. The bounds and patterns behind it only add noise. */
function simplify(json: Json): void {
  if (json.format === 'uuid') delete json.pattern;
  if (json.type !== 'integer') return;
  if (json.maximum === Number.MAX_SAFE_INTEGER) {
    delete json.maximum;
    json.format = 'int64';
  }
  if (json.minimum === Number.MIN_SAFE_INTEGER) delete json.minimum;
}

const isClosed = (rest: z.core.$ZodType | undefined): boolean =>
  rest === undefined || (rest as z.core.$ZodTypes)._zod.def.type === 'never';

const listedValues = (type: z.core.$ZodType): Json | null => {
  const { def } = (type as z.core.$ZodTypes)._zod;
  if (def.type === 'optional') return listedValues(def.innerType);
  if (def.type !== 'enum' && def.type !== 'array') return null;
  const { $schema: _, ...json } = z.toJSONSchema(type, { io: 'input', unrepresentable: 'any' }) as Json;
  return json;
};

const isTextOrList = ({ anyOf }: Json): boolean =>
  Array.isArray(anyOf) && anyOf.some((one: Json) => one.type === 'array') && anyOf.some((one) => one.type === 'string');

const LISTS = ['anyOf', 'oneOf', 'allOf', 'prefixItems'];
const SINGLE = ['items', 'additionalProperties', 'propertyNames'];
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Replaces the schemas inside a schema, and describes the fields that every module has. */
function mapSchemas(json: Json, change: (schema: Json) => Json): Json {
  return Object.fromEntries(
    Object.entries(json).map(([key, value]) => {
      if (key === 'properties')
        return [
          key,
          Object.fromEntries(
            Object.entries(value as Json).map(([name, field]) => [name, describeField(name, change(field as Json))]),
          ),
        ];
      if (LISTS.includes(key)) return [key, (value as Json[]).map(change)];
      return [key, SINGLE.includes(key) && isObject(value) ? change(value) : value];
    }),
  );
}
