import { expect, test } from 'vitest';
import { z } from 'zod';
import { codeIn } from '../problem.ts';
import { BUSINESS } from './business_fields.ts';

const codesFor = (values: object) =>
  (z.object(BUSINESS).safeParse(values).error?.issues ?? []).map(({ path, message }) => [path[0], codeIn(message)]);

test.each([
  {},
  { business_name: '', business_address: ' ', business_website: '', business_phone: '', business_email: '' },
])('what is missing has the code of its field, left out or left empty: %j', (values) =>
  expect(codesFor({ business_country: 'DE', business_industry: 7, ...values })).toEqual([
    ['business_name', 1458],
    ['business_address', 1460],
    ['business_website', 1462],
    ['business_phone', 1463],
    ['business_email', 1464],
  ]),
);

test('a wrong field has another problem than a missing one', () =>
  expect(
    codesFor({
      business_name: 'A',
      business_address: 'Kai',
      business_website: 'harbour',
      business_phone: 'call us',
      business_country: 'XX',
      business_email: 'hello@',
      business_industry: 38,
    }),
  ).toEqual([
    ['business_name', 1445],
    ['business_address', 1448],
    ['business_website', 1450],
    ['business_phone', 1451],
    ['business_country', 1452],
    ['business_email', 1454],
    ['business_industry', 1455],
  ]));
