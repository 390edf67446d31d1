/** Rejects calls with parameters, fields, or enum values that the contract does not have, as the server does. */
import type { AnyEndpoint } from '@parley/contract/endpoint.ts';
import { ENDPOINTS } from '@parley/contract/index.ts';
import { compareInput } from '@parley/contract/strict.ts';
import { afterEach, expect } from 'vitest';
import '../kernel/schema/rules.ts';

const unknown: string[] = [];

afterEach(() => {
  expect(unknown.splice(0)).toEqual([]);
});

/** Records the unknown input of a call, so that the test fails. */
export function checkInput(method: string, path: string, search: URLSearchParams, body: unknown): void {
  const matches = ENDPOINTS.filter((one) => one.method === method && pathPattern(one).test(path));
  const endpoint = matches.find((one) => one.path === path) ?? matches[0];
  if (!endpoint) return;
  const query: Record<string, unknown> = {};
  const filter: Record<string, string> = {};
  for (const [name, value] of search) {
    const [, key] = /^filter\[(\w+)\]$/.exec(name) ?? [];
    if (key) filter[key] = value;
    else query[name] = value;
  }
  if (Object.keys(filter).length > 0) query.filter = filter;
  for (const [part, schema, value] of [
    ['query', endpoint.query, query],
    ['body', endpoint.body, body],
  ] as const) {
    const compared = compareInput(schema, value);
    const issues = schema?.safeParse(compared.value).error?.issues ?? [];
    // Ignores other rules, because tests use short IDs.
    const words = issues.filter(({ code }) => code === 'invalid_value').map(({ path: field }) => field.join('.'));
    for (const name of [...compared.unknown, ...words]) unknown.push(`${endpoint.id}: ${part} ${name}`);
  }
}

const pathPattern = ({ path }: AnyEndpoint): RegExp => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`);
