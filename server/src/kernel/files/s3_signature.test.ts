/**
 * Compares signatures with the examples that AWS publishes (S3 API, "Signature calculations for the authorization
 * header").
 */
import { expect, test } from 'vitest';
import { escapedPath, sha256Hex, signedHeaders } from './s3_signature.ts';

const KEYS = {
  access_key_id: 'AKIAIOSFODNN7EXAMPLE',
  secret_access_key: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  region: 'us-east-1',
};
const NOW = new Date('2013-05-24T00:00:00Z');
const host = 'examplebucket.s3.amazonaws.com';
const NOTHING = sha256Hex('');
const signatureIn = (headers: Record<string, string>) => /Signature=(\w+)$/.exec(headers.authorization!)?.[1];

test.each([
  [
    'part of an object',
    { method: 'GET', host, path: '/test.txt', headers: { range: 'bytes=0-9' } },
    NOTHING,
    'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  ],
  [
    'an upload with an escaped name',
    {
      method: 'PUT',
      host,
      path: escapedPath('/test$file.text'),
      headers: { date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' },
    },
    sha256Hex('Welcome to Amazon S3.'),
    '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
  ],
  [
    'the lifecycle of a bucket',
    { method: 'GET', host, path: '/', query: 'lifecycle=' },
    NOTHING,
    'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
  ],
  [
    'a list of objects',
    { method: 'GET', host, path: '/', query: 'max-keys=2&prefix=J' },
    NOTHING,
    '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
  ],
])('the signature matches the AWS example for %s', (_, request, payload, signature) => {
  expect(signatureIn(signedHeaders(request, payload, KEYS, NOW))).toBe(signature);
});

test('every part of a request changes the signature', () => {
  const request = { method: 'PUT', host, path: '/a', headers: { 'content-length': '3' } };
  const signature = (change: object, payload = NOTHING, keys = KEYS, time = NOW) =>
    signatureIn(signedHeaders({ ...request, ...change }, payload, keys, time));
  const all = [
    signature({}),
    signature({ method: 'GET' }),
    signature({ host: 'other' }),
    signature({ path: '/b' }),
    signature({ headers: { 'content-length': '4' } }),
    signature({}, sha256Hex('x')),
    signature({}, NOTHING, { ...KEYS, region: 'eu-west-1' }),
    signature({}, NOTHING, KEYS, new Date('2013-05-24T00:00:01Z')),
  ];
  expect(new Set(all).size).toBe(all.length);
});
