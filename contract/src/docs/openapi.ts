/** Reads the OpenAPI document for the documentation: operations by module, search, and the fields of a schema. */
export interface Schema {
  type?: string | readonly string[];
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  items?: Schema;
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  allOf?: readonly Schema[];
  enum?: readonly unknown[];
  const?: unknown;
  default?: unknown;
  format?: string;
  pattern?: string;
  description?: string;
  examples?: readonly unknown[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  description?: string;
  schema: Schema;
}

interface Reference {
  $ref?: string;
}

interface RawOperation {
  operationId: string;
  summary: string;
  description?: string;
  tags: readonly string[];
  'x-needs': string | readonly string[] | null;
  'x-audience'?: 'account' | 'session' | 'person' | 'operator';
  /** True if test keys can make the call. */
  'x-test-keys'?: boolean;
  parameters?: readonly Parameter[];
  requestBody?: { content: Readonly<Record<string, { schema: Schema }>> };
  responses?: Readonly<Record<string, { description: string; content?: Readonly<Record<string, { schema: Schema }>> }>>;
}

export interface Operation extends RawOperation {
  method: string;
  path: string;
}

export interface Document {
  paths: Readonly<Record<string, Readonly<Record<string, RawOperation>>>>;
  tags?: readonly { name: string; description?: string }[];
  components?: object;
}

/** The document with the content of its components in place of references, each of them made once. */
export function resolveReferences(document: Document): Document {
  const made = new Map<string, object>();
  const resolve = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolve);
    if (typeof value !== 'object' || value === null) return value;
    const { $ref, ...rest } = value as Reference;
    if ($ref === undefined) return Object.fromEntries(Object.entries(rest).map(([key, one]) => [key, resolve(one)]));
    const target = made.get($ref) ?? (resolve(findPart(document, $ref)) as object);
    made.set($ref, target);
    return { ...target, ...rest };
  };
  return { ...document, paths: resolve(document.paths) as Document['paths'] };
}

/** `#/components/schemas/Message` */
const findPart = (document: Document, ref: string): unknown =>
  ref
    .slice(2)
    .split('/')
    .reduce<unknown>((part, key) => (part as Record<string, unknown> | undefined)?.[key], document);

export interface Module {
  id: string;
  title: string;
  /** The description of the group's calls. */
  text: string;
  operations: readonly Operation[];
}

const METHODS = ['GET', 'POST', 'PUT', 'DELETE'];
const byPath = (a: Operation, b: Operation): number =>
  a.path.localeCompare(b.path) || METHODS.indexOf(a.method) - METHODS.indexOf(b.method);

const moduleTitle = (tag: string): string => {
  const words = tag.replace(/_/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** The modules in alphabetical order. */
export function toModules({ paths, tags = [] }: Document): Module[] {
  const parts = new Map<string, Operation[]>();
  for (const [path, methods] of Object.entries(paths))
    for (const [method, operation] of Object.entries(methods)) {
      const tag = operation.tags[0] ?? '';
      parts.set(tag, [...(parts.get(tag) ?? []), { ...operation, method: method.toUpperCase(), path }]);
    }
  return [...parts]
    .map(([id, operations]) => ({
      id,
      title: moduleTitle(id),
      text: tags.find(({ name }) => name === id)?.description ?? '',
      operations: operations.sort(byPath),
    }))
    .sort((a, b) => a.title.localeCompare(b.title));
}

/** The operations that contain every search word in their method, path, texts, parameters, fields, or error codes. */
export function searchOperations(modules: readonly Module[], search: string): Operation[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return modules
    .flatMap(({ operations }) => operations)
    .filter((operation) => words.every((word) => searchText(operation).includes(word)));
}

const texts = new WeakMap<Operation, string>();

function searchText(operation: Operation): string {
  const known = texts.get(operation);
  if (known !== undefined) return known;
  const { method, path, operationId, summary } = operation;
  const { parameters, body } = readTables(operation);
  const names = [...parameters, ...body].map(({ name }) => name);
  const codes = readRefusals(operation).flatMap((one) => one.texts);
  const text = [method, path, operationId, summary, ...names, ...codes].join(' ').toLowerCase();
  texts.set(operation, text);
  return text;
}

/** The error codes of each status, with their texts. */
export const readRefusals = ({ responses = {} }: Operation): { status: string; texts: string[] }[] =>
  Object.entries(responses)
    .filter(([status]) => /^[45]/.test(status))
    .map(([status, { description }]) => ({ status, texts: description.split(/[.] (?=\d{4}: )/) }));

/** The parameters, and the fields of the request and the response. */
export function readTables(operation: Operation): Record<'parameters' | 'body' | 'response', FieldRow[]> {
  const body = requestSchema(operation);
  const response = responseSchema(operation);
  return {
    parameters: (operation.parameters ?? []).map(({ name, in: place, required, description, schema }) => ({
      name,
      type: typeName(unwrap(schema).schema),
      isRequired: required ?? false,
      note: toSentences([
        place === 'query' ? null : `In the ${place}`,
        description,
        listedWords(schema),
        ...lengthTexts(unwrap(schema).schema),
      ]),
    })),
    body: body ? listFields(body.schema) : [],
    response: response ? listFields(response) : [],
  };
}

/** The words that a parameter, or each item of its list, can have. */
function listedWords(given: Schema): string | undefined {
  const { schema } = unwrap(given);
  const words = (schema.items ?? schema).enum;
  return words && `One of ${words.join(', ')}`;
}

const lengthTexts = ({ maxLength, maxItems }: Schema) => [
  maxLength && `At most ${maxLength} characters`,
  maxItems && `At most ${maxItems} values`,
];

/** Joins the existing parts: "The text. At most 1000 characters". */
const toSentences = (parts: readonly (string | number | null | undefined)[]): string =>
  parts
    .filter(Boolean)
    .map((part) => String(part).replace(/\.$/, ''))
    .join('. ');

export function permissionText(needs: RawOperation['x-needs']): string {
  if (needs === 'public') return 'No sign-in required';
  return needs === null ? 'Sign-in required' : `Requires ${[needs].flat().join(' or ')}`;
}

export interface FieldRow {
  name: string;
  type: string;
  isRequired: boolean;
  note: string;
}

const MAX_DEPTH = 3;

/** The fields of an object, with those inside it as `button.text` and `rows[].name`. */
export function listFields(schema: Schema, prefix = '', depth = 0): FieldRow[] {
  const { properties = {}, required = [] } = unwrap(schema).schema;
  return Object.entries(properties).flatMap(([key, value]) => {
    const name = `${prefix}${key}`;
    const { schema: inner, isNullable } = unwrap(value);
    const row = {
      name,
      type: `${typeName(inner)}${isNullable ? ' or null' : ''}`,
      isRequired: required.includes(key),
      note: describeLimits(inner),
    };
    if (depth >= MAX_DEPTH) return [row];
    const item = inner.items && unwrap(inner.items).schema;
    return [
      row,
      ...(inner.properties ? listFields(inner, `${name}.`, depth + 1) : []),
      ...(item?.properties ? listFields(item, `${name}[].`, depth + 1) : []),
    ];
  });
}

/** A schema of several parts as one, with the fields of all parts. */
function mergeParts({ allOf, ...schema }: Schema): Schema {
  if (!allOf) return schema;
  const parts = allOf.map(mergeParts);
  return {
    ...schema,
    type: 'object',
    properties: Object.assign({}, ...parts.map(({ properties }) => properties)) as Record<string, Schema>,
    required: parts.flatMap(({ required = [] }) => required),
  };
}

/** A schema without its alternative `null`. */
export function unwrap(given: Schema): { schema: Schema; isNullable: boolean } {
  const schema = mergeParts(given);
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (!alternatives) return { schema, isNullable: false };
  const others = alternatives.filter(({ type }) => type !== 'null');
  const isNullable = others.length < alternatives.length;
  if (others.length !== 1 || !others[0]) return { schema, isNullable };
  const { anyOf: _, oneOf: __, ...texts } = schema;
  return { schema: { ...texts, ...unwrap(others[0]).schema }, isNullable };
}

/** The beginning of the patterns of dates. */
export const DATE = '^\\d{4}-\\d{2}-\\d{2}';

export function typeName(schema: Schema): string {
  const { type, items, format, enum: values, anyOf, oneOf } = schema;
  const alternatives = (anyOf ?? oneOf)?.filter((one) => one.type !== 'null');
  if (alternatives) return [...new Set(alternatives.map((one) => typeName(one)))].join(' or ');
  if (type === 'array') return items ? `array of ${typeName(unwrap(items).schema)}` : 'array';
  if (format === 'uuid') return 'UUID';
  if (schema.pattern?.startsWith(DATE)) return 'date and time';
  if (values) return 'one of';
  return type === undefined ? 'any' : [type].flat().join(' or ');
}

function describeLimits({ enum: values, description, default: fallback, ...schema }: Schema): string {
  const { minimum, maximum, minLength, maxLength, maxItems } = schema;
  const parts = [
    description,
    values && `One of ${values.map(String).join(', ')}`,
    minimum !== undefined && maximum !== undefined && maximum < 1e15 ? `From ${minimum} to ${maximum}` : null,
    minLength && minLength > 1 ? `At least ${minLength} characters` : null,
    maxLength ? `At most ${maxLength} characters` : null,
    maxItems ? `At most ${maxItems} items` : null,
    fallback === undefined ? null : `The default is ${JSON.stringify(fallback)}`,
  ];
  return toSentences(parts);
}

/** The request body without its envelope; null if the operation has none. `isForm`: the body is a form with a file. */
export function requestSchema({ requestBody }: Operation): { schema: Schema; isForm: boolean } | null {
  const form = requestBody?.content['multipart/form-data'];
  if (form) return { schema: form.schema, isForm: true };
  const data = requestBody?.content['application/json']?.schema.properties?.data;
  return data ? { schema: data, isForm: false } : null;
}

/** The data of the successful response without its envelope; null if it is empty or not JSON. */
export function responseSchema({ responses = {} }: Operation): Schema | null {
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1];
  const data = success?.content?.['application/json']?.schema.properties?.data;
  return data ? (data.items ? unwrap(data.items).schema : data) : null;
}
