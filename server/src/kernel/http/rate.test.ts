import { type Problem, problemCode } from '@parley/contract/problem.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeCompany, makeKey } from '../../test/make.ts';
import { createWorld, type World } from '../../test/world.ts';
import { rateLimiter, refusalLimiter } from './rate.ts';

const refusalCode = (act: () => void): number => {
  try {
    act();
    return 0;
  } catch (error) {
    return problemCode((error as Problem).name);
  }
};
const stranger = { key_id: null, session_id: null } as Parameters<ReturnType<typeof rateLimiter>['consume']>[0];
const reply = { header: () => reply } as never;

describe('the rate limiter', () => {
  it('counts an IPv6 /64 as one caller and each IPv4 address separately', () => {
    const limit = rateLimiter(2, () => 0);
    const from = (ip: string) => refusalCode(() => limit.consume(stranger, { ip }, reply));
    expect(Array.from({ length: 7 }, (_, index) => from(`2001:db8::${index + 1}`))).toEqual([0, 0, 0, 0, 0, 0, 1999]);
    expect(Array.from({ length: 7 }, (_, index) => from(`192.0.2.${index + 1}`))).toEqual(Array(7).fill(0));
  });

  it('announces a window of one second when it counts a request', () => {
    let at = 0;
    const limit = rateLimiter(2, () => at);
    const headers: Record<string, string> = {};
    const recorder = {
      header: (name: string, value: string) => {
        headers[name] = value;
      },
    } as never;
    const remaining = () => {
      limit.consume(stranger, { ip: '192.0.2.1' }, recorder);
      return Number(headers['ratelimit-remaining']);
    };
    // The burst of three seconds is not announced: the number never exceeds the limit.
    expect(Array.from({ length: 6 }, remaining)).toEqual([2, 2, 2, 2, 1, 0]);
    expect(headers).toMatchObject({ 'ratelimit-limit': '2', 'ratelimit-reset': '1' });
    expect(headers).toMatchObject({ 'ratelimit-policy': '"default";q=2;w=1' });
    expect(headers.ratelimit).toBe(`"default";r=${headers['ratelimit-remaining']};t=1`);
    expect(refusalCode(remaining)).toBe(1999);
    at += 1000;
    expect([remaining(), remaining()]).toEqual([1, 0]);
  });

  it('drops the least recently used caller first', () => {
    const limit = rateLimiter(1, () => 0);
    const from = (ip: string) => refusalCode(() => limit.consume(stranger, { ip }, reply));
    expect([from('first'), from('first'), from('first'), from('first')]).toEqual([0, 0, 0, 1999]);
    for (let index = 0; index < 19_999; index++) from(`caller ${index}`);
    expect(from('first')).toBe(1999);
    for (let index = 0; index < 20_000; index++) from(`other ${index}`);
    expect(from('first')).toBe(0);
  });
});

describe('the refusal limiter', () => {
  it('allows valid requests at any rate and blocks only the address with refused requests', () => {
    let at = 0;
    const limit = refusalLimiter(2, () => at);
    const from = (ip: string) => refusalCode(() => limit.check(ip));
    for (let count = 0; count < 100; count++) expect(from('192.0.2.1')).toBe(0);
    for (let count = 0; count < 6; count++) {
      expect(from('192.0.2.1')).toBe(0);
      limit.recordRefusal('192.0.2.1');
    }
    expect([from('192.0.2.1'), from('192.0.2.2')]).toEqual([1999, 0]);
    // Simultaneous refusals do not extend the pause.
    for (let count = 0; count < 50; count++) limit.recordRefusal('192.0.2.1');
    at += 500;
    expect(from('192.0.2.1')).toBe(0);
  });
});

describe('limits for unknown callers', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld({ role: 'api', settings: { REQUESTS_PER_SECOND: '1' } });
  });
  afterAll(() => world?.stop());

  it('slow down unknown callbacks, but not other requests from the same address', async () => {
    const { token } = await makeCompany(world.kernel);
    const statuses: number[] = [];
    while (!statuses.includes(429) && statuses.length < 100) {
      const { status } = await fetch(`${world.url}/callbacks/guessed`, { method: 'POST', body: '{}' });
      statuses.push(status);
    }
    expect([statuses[0], statuses.at(-1)]).toEqual([404, 429]);
    expect((await world.as(token).get('/v1/users/self')).status).toBe(200);
  });

  it('announce the limit of a known key when its request is refused, and count the request', async () => {
    const key = await makeKey(world.kernel, (await makeCompany(world.kernel)).account_id);
    const send = async (path: string, body?: string) => {
      const headers = { 'x-api-key': key, ...(body ? { 'content-type': 'application/json' } : {}) };
      const response = await fetch(world.url + path, { headers, ...(body ? { method: 'POST', body } : {}) });
      const { errors } = (await response.json()) as { errors: { code: number }[] };
      return [errors[0]!.code, response.headers.get('ratelimit-limit')];
    };
    expect(await send('/v1/payments/balance')).toEqual([1136, '1']);
    expect(await send('/v1/messages', '{')).toEqual([1005, '1']);
    expect(await send('/v1/messages/1')).toEqual([1502, '1']);
    expect(await send('/v1/keys')).toEqual([1999, '1']);
  });

  it('announce the same wait in every header when a request is refused', async () => {
    const caller = world.as((await makeCompany(world.kernel)).token);
    // The token is then known, so its requests are not limited as attempts to guess one.
    expect((await caller.get('/v1/users/self')).status).toBe(200);
    const replies = await Promise.all(Array.from({ length: 30 }, () => caller.get('/v1/users/self')));
    const refused = replies.find(({ status }) => status === 429)!;
    const header = (name: string) => refused.headers.get(name);
    expect(['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset', 'retry-after'].map(header)).toEqual([
      '1',
      '0',
      '1',
      '1',
    ]);
  });

  it('slow down invalid tokens and keys before the lookup, but not known valid ones', async () => {
    const [firstCompany, secondCompany] = [await makeCompany(world.kernel), await makeCompany(world.kernel)];
    expect((await world.as(firstCompany.token).get('/v1/users/self')).status).toBe(200);
    const guessToken = (index: number) => world.as(`guessed-token-number-${index}`).get('/v1/users/self');
    const statuses = (await Promise.all(Array.from({ length: 30 }, (_, index) => guessToken(index)))).map(
      (reply) => reply.status,
    );
    expect(new Set(statuses)).toEqual(new Set([401, 429]));
    const key = await world.as({ key: 'a-guessed-key' }).get('/v1/accounts/self');
    expect([key.status, key.body.errors[0].code]).toEqual([429, 1999]);
    // Until it is looked up, a valid token that the server has not seen looks like an invalid one.
    expect((await world.as(secondCompany.token).get('/v1/users/self')).status).toBe(429);
    expect((await world.as(firstCompany.token).get('/v1/users/self')).status).toBe(200);
    // A request without a token is refused without a database query.
    expect((await world.as().get('/v1/users/self')).status).toBe(401);
  });
});
