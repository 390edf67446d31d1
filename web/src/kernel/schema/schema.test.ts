import type { AnyEndpoint } from '@parley/contract/endpoint.ts';
import { expect, test } from 'vitest';
import { z } from 'zod';
import './rules.ts';
import { z as recorded } from './recorder.ts';

test('a recorded schema validates like the schema it records', () => {
  const range = (min: number) => z.int().min(min, { error: 'low' });
  const item = z.object({ name: z.string().trim().min(1), count: range(2).optional() });
  const schema = z.object({ ...{ extra: z.null() }, items: z.array(item).max(2), kind: item.shape.name.nullable() });
  expect(schema.parse({ extra: null, items: [{ name: ' a ' }], kind: null })).toEqual({
    extra: null,
    items: [{ name: 'a' }],
    kind: null,
  });
  const issues = schema.safeParse({ extra: null, items: [{ name: '', count: 1 }], kind: 'x' }).error?.issues ?? [];
  expect(issues.map(({ path, message }) => [path.join('.'), message])).toEqual([
    ['items.0.name', 'Too small: expected string to have >=1 characters'],
    ['items.0.count', 'low'],
  ]);
});

test('the contract’s schemas are recorded in the web app', () => expect(z).toBe(recorded));

test('every schema of the contract is built', async () => {
  const modules = import.meta.glob<Record<string, unknown>>(['../../../../contract/src/**/*.ts', '!**/*.test.ts']);
  let count = 0;
  for (const load of Object.values(modules))
    for (const value of Object.values(await load())) {
      const { method, params, query, body, output } = (value ?? {}) as AnyEndpoint;
      if (typeof method !== 'string') continue;
      for (const schema of [params, query, body, output]) if (schema) schema.safeParse(undefined);
      count++;
    }
  expect(count).toBeGreaterThan(100);
});

test('every file of the app that evaluates a schema provides zod', () => {
  const files = import.meta.glob<string>(['../../**/*.{ts,tsx}', '!**/*.test.*'], {
    query: '?raw',
    import: 'default',
    eager: true,
  });
  const evaluating = Object.entries(files).filter(([, code]) => /\.safeParse\(/.test(code));
  expect(evaluating.length).toBeGreaterThan(3);
  for (const [name, code] of evaluating) expect(code, name).toMatch(/schema\/rules\.ts'/);
});
