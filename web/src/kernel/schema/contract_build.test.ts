import { parseAst } from 'rolldown/parseAst';
import { expect, test } from 'vitest';
import { contractForBrowser } from '../../../vite.contract.ts';

const transform = (code: string, id = '/x/contract/src/notes/notes.ts'): string => {
  const { handler } = contractForBrowser().transform as { handler: (code: string, id: string) => { code: string } };
  return handler.call({ parse: parseAst } as never, code, id).code;
};

test('an endpoint keeps the parts that the app uses and loses the parts that only the server needs', () => {
  const code = transform(
    `export const a = endpoint({ id: 'notes.list', summary: 'S', output: Note, body: B, list: true });`,
  );
  expect(code).toBe(
    `export const a = /* @__PURE__ */ (() => (endpoint({ id: 'notes.list',   body: B, list: true })))();`,
  );
});

test('a row of the catalog of problems keeps its public text only', () => {
  const code = transform(
    `export const A = { GONE: { code: 1, status: 404, public: 'Gone', internal: 'No row' } };`,
    '/x/contract/src/problems/notes.ts',
  );
  expect(code.replace(/\s+/g, ' ')).toBe(`export const A = { GONE: { public: 'Gone', } };`);
});

test('constants without calls and functions stay unchanged', () => {
  const code = [
    `const a = [1, 2];`,
    `export const b = () => endpoint({ id: 'x' });`,
    `export function c() { return z.string(); }`,
  ].join('\n');
  expect(transform(code)).toBe(code);
});
