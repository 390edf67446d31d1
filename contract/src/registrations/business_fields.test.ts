import { expect, test } from 'vitest';
import { z } from 'zod';
import { problemInRule } from '../problem.ts';
import { BUSINESS } from './business_fields.ts';

const codesFor = (values: object) =>
  (z.object(BUSINESS).safeParse(values).error?.issues ?? []).map(({ path, message }) => [
    path[0],
    problemInRule(message),
  ]);

test.each([
  {},
  { business_name: '', business_address: ' ', business_website: '', business_phone: '', business_email: '' },
])('a missing or empty field is reported with the problem for that field: %j', (values) =>
  expect(codesFor({ business_country: 'DE', business_industry: 7, ...values })).toEqual([
    ['business_name', 'BUSINESS_NAME_REQUIRED'],
    ['business_address', 'BUSINESS_ADDRESS_REQUIRED'],
    ['business_website', 'BUSINESS_WEBSITE_REQUIRED'],
    ['business_phone', 'BUSINESS_PHONE_REQUIRED'],
    ['business_email', 'BUSINESS_EMAIL_REQUIRED'],
  ]),
);

test('an invalid field is reported with a different problem than a missing one', () =>
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
    ['business_name', 'BUSINESS_NAME_INVALID'],
    ['business_address', 'BUSINESS_ADDRESS_INVALID'],
    ['business_website', 'BUSINESS_WEBSITE_INVALID'],
    ['business_phone', 'BUSINESS_PHONE_INVALID'],
    ['business_country', 'BUSINESS_COUNTRY_INVALID'],
    ['business_email', 'BUSINESS_EMAIL_INVALID'],
    ['business_industry', 'BUSINESS_INDUSTRY_INVALID'],
  ]));
