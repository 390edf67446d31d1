import { ENDPOINTS } from '@parley/contract/index.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorld, type World } from '../../test/world.ts';
import { listAmbiguous, type Methods, methodFinder } from './allowed_methods.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'];

let world: World;
beforeAll(async () => {
  world = await createWorld({ role: 'api' });
});
afterAll(() => world.stop());

const methods: Methods = new Map([
  ['/v1/users/:id', new Set(['GET', 'DELETE'])],
  ['/v1/users/me', new Set(['GET'])],
  ['/v1/users/:id/notes/:note_id', new Set(['PUT'])],
]);

test('a fixed path does not accept the methods of a path with parameters', () => {
  expect(listAmbiguous(methods)).toEqual([{ url: '/v1/users/me', method: ['DELETE'], supported: ['GET'] }]);
});

test('the methods of the most specific path are found', () => {
  const find = methodFinder(methods);
  expect(find('/v1/users/me?x=/')).toEqual(['GET']);
  expect(find('//v1/users//7/')).toEqual(['GET', 'DELETE']);
  expect(find('/v1/%75sers/%2F')).toEqual(['GET', 'DELETE']);
  expect(find('/v1/users/7/notes/8')).toEqual(['PUT']);
  for (const path of ['/', '/v1/users', '/v1/users/7/notes', '/v1/usersx/7', '/%']) expect(find(path)).toBeNull();
});

test('every endpoint rejects the methods that its path does not support', async () => {
  const paths = new Map<string, Set<string>>();
  for (const { path, method } of ENDPOINTS) {
    const url = path.replace(/\{\w+\}/g, '7');
    paths.set(url, (paths.get(url) ?? new Set()).add(method));
  }
  for (const [url, supported] of paths) {
    const method = METHODS.find((name) => !supported.has(name))!;
    const reply = await world.as().raw(url, { method });
    const allowed = reply.headers.get('allow')?.split(', ').sort();
    expect([url, method, reply.status, allowed]).toEqual([url, method, 405, [...supported].sort()]);
    if (method !== 'HEAD') expect(reply.body.errors[0].code).toBe(1006);
  }
});
