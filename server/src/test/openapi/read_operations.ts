/** Reads the operations of an OpenAPI document, with the content of its components in place of references. */

interface Document {
  paths: Record<string, Record<string, unknown>>;
}

type Node = Record<string, unknown>;

export function readOperations<T>(document: Document): { method: string; path: string; operation: T }[] {
  const resolved = new Map<string, unknown>();
  const resolve = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolve);
    if (typeof value !== 'object' || value === null) return value;
    const { $ref, ...rest } = value as Node;
    if (typeof $ref !== 'string')
      return Object.fromEntries(Object.entries(rest).map(([key, one]) => [key, resolve(one)]));
    if (!resolved.has($ref)) resolved.set($ref, resolve(find(document, $ref)));
    return { ...(resolved.get($ref) as Node), ...rest };
  };
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation: resolve(operation) as T,
    })),
  );
}

/** `#/components/schemas/Message` */
const find = (document: Document, ref: string): unknown =>
  ref
    .slice(2)
    .split('/')
    .reduce<unknown>((node, key) => (node as Node)[key], document);
