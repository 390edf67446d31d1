/** The refusals for callers without a valid credential, and for calls to a wrong URL. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createWorld, type World } from '../world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld({ role: 'api' });
});
afterAll(() => world.stop());

it.each(['/v2/messages', '/v2', '/v10/messages?page=1', '/v1/unknown'])('the URL %s does not exist', async (path) => {
  const { status, body } = await world.as().get(path);
  expect([status, body.errors[0]]).toEqual([404, expect.objectContaining({ status: 404, code: 1004, method: 'GET' })]);
});

it('a refusal says which credential is wrong when a request has a key, a token, or none', async () => {
  const replies = await Promise.all(
    [world.as({ key: 'no-such-key' }), world.as('no-such-token-at-all'), world.as()].map((caller) =>
      caller.get('/v1/accounts/self'),
    ),
  );
  expect(replies.map(({ status, body }) => [status, body.errors[0].code, body.errors[0].message])).toEqual([
    [401, 1101, 'The API key is invalid or deleted'],
    [401, 1101, 'Sign in again: the token is missing, invalid, or expired'],
    [401, 1101, 'Send an API key in the header X-API-Key, or sign in'],
  ]);
  expect(replies.map(({ headers }) => headers.get('www-authenticate'))).toEqual(['Bearer', 'Bearer', 'Bearer']);
});
