import { expect, it } from 'vitest';
import type { z } from 'zod';
import { ENDPOINTS } from './index.ts';

// The web app reads `sorts` and `counts`, because its build removes the query schemas.
it.each(ENDPOINTS.filter(({ list }) => list))('$id states how its list can be sorted and counted', (endpoint) => {
  const { shape = {} } = (endpoint.query ?? {}) as { shape?: Record<string, z.ZodType> };
  expect('count' in shape).toBe(endpoint.counts === true);
  expect('sort' in shape).toBe(endpoint.sorts !== undefined);
  for (const sort of endpoint.sorts ?? []) expect(shape.sort?.safeParse(`-${sort}`).success).toBe(true);
});
