import { expect, test } from 'vitest';
import { makeCompany } from '../../test/make.ts';
import { createWorld } from '../../test/world.ts';

test('a user can open only a limited number of live streams, and a closed stream is free again', async () => {
  const world = await createWorld({ role: 'api', settings: { STREAMS_PER_USER: '2' } });
  try {
    const { token } = await makeCompany(world.kernel);
    const open = async () => {
      const abort = new AbortController();
      const response = await fetch(`${world.url}/v1/events`, {
        headers: { authorization: `Bearer ${token}` },
        signal: abort.signal,
      });
      return { status: response.status, abort };
    };
    const first = await open();
    const second = await open();
    expect([first.status, second.status, (await open()).status]).toEqual([200, 200, 429]);
    first.abort.abort();
    let again = await open();
    while (again.status === 429) again = await open();
    expect(again.status).toBe(200);
    for (const { abort } of [second, again]) abort.abort();
  } finally {
    await world.stop();
  }
});
