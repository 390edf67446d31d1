/** Compares the generated part of the SDK with the contract. */
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { generate } from '../../../../sdk/generate.ts';

it('the calls of the SDK match the contract', async () => {
  const stored = await readFile(new URL('../../../../sdk/src/generated.ts', import.meta.url), 'utf8');
  expect(stored === generate(), 'The contract has changed: run npm run generate -w sdk').toBe(true);
});
