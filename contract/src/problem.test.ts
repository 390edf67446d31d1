import { expect, test } from 'vitest';
import { z } from 'zod';
import { problem, range } from './common.ts';
import {
  AREAS,
  fieldLabel,
  issueMessage,
  PROBLEMS,
  Problem,
  type ProblemName,
  problemCode,
  problemInternal,
} from './problem.ts';
import { CLIENT_PROBLEMS, clientProblem } from './problem_codes.ts';

const firstMessage = (schema: z.ZodType, value: unknown, label: string): string | null => {
  const issue = schema.safeParse(value).error?.issues[0];
  return issue ? issueMessage(issue, label) : null;
};

test.each([
  ['a missing string', z.string(), undefined, 'Name', 'Name is required!'],
  ['an empty string', z.string().min(1), '', 'Name', 'Name is required!'],
  ['null instead of a number', z.int(), null, 'Port', 'Port is required!'],
  ['an empty list', z.array(z.string()).min(1), [], 'Recipients', 'Recipients is required!'],
  ['an invalid email address', z.email(), 'dana@', 'Email', 'Email is not a valid email!'],
  ['a string instead of a number', z.number(), 'many', 'Priority', 'Priority is not a valid number!'],
  ['a value that is not a number', z.number(), Number.NaN, 'Priority', 'Priority is not a valid number!'],
  ['a fraction instead of a whole number', z.int(), 1.5, 'Priority', 'Priority is not a valid number!'],
  ['a number below the range', range(1, 16), 0, 'Binds', 'Binds must be between 1 and 16'],
  ['a number above the range', range(1, 16), 17, 'Binds', 'Binds must be between 1 and 16'],
  ['a string instead of a number in a range', range(1, 16), 'x', 'Binds', 'Binds is not a valid number!'],
  ['a number below a minimum', z.int().min(1), 0, 'Size', 'Size must be at least 1'],
  ['a number above a maximum', z.number().max(5), 6, 'Size', 'Size can be at most 5'],
  [
    'a string that is too short',
    z.string().min(3),
    'a',
    'Display name',
    'Display name must have at least 3 characters',
  ],
  ['a string that is too long', z.string().max(5), 'abcdef', 'Search', 'Search can have at most 5 characters'],
  ['a list that is too long', z.array(z.string()).max(1), ['a', 'b'], 'Recipients', 'Recipients can have at most 1'],
  ['a value outside a list', z.enum(['MT', 'MO']), 'XX', 'Direction', 'Direction must be one of MT, MO'],
  ['a value other than the only allowed one', z.literal('SMS'), 'XX', 'Channel', 'Channel must be SMS'],
  ['a string instead of a boolean', z.boolean(), 'yes', 'Enabled', 'Enabled must be true or false'],
  ['a number instead of a string', z.string(), 7, 'Name', 'Name must be text'],
  ['a string instead of a list', z.array(z.string()), 'a', 'Numbers', 'Numbers must be a list'],
  ['an invalid id', z.uuid(), 'x', 'Template', 'Template is not valid!'],
  ['an unknown field', z.strictObject({}), { more: 1 }, 'Body', 'Body has no more'],
  ['a rule with its own text', z.string().regex(/^a/, 'begins with a'), 'b', 'Name', 'Name: begins with a'],
  [
    'a rule with its own problem',
    z.string({ error: problem('EMAIL_INVALID') }),
    null,
    'Email',
    'Enter a valid email address',
  ],
] as const)('the message is correct for %s', (_, schema, value, label, message) => {
  expect(firstMessage(schema, value, label)).toBe(message);
});

test.each([1, 8, 16])('a range from 1 to 16 accepts %i', (value) => {
  expect(firstMessage(range(1, 16), value, 'Binds')).toBeNull();
});

const ROWS = AREAS.flatMap((area) => Object.entries(area));
const duplicates = <T>(values: readonly T[]): T[] => values.filter((value, index) => values.indexOf(value) !== index);

test('each problem name and code is used only once', () => {
  expect(duplicates(ROWS.map(([name]) => name))).toEqual([]);
  expect(duplicates(ROWS.map(([, { code }]) => code))).toEqual([]);
  expect(Object.keys(PROBLEMS)).toHaveLength(ROWS.length);
});

test('a problem has a four-digit code and an uppercase name of at most 40 characters', () => {
  const odd = ROWS.filter(([name, { code }]) => !/^[A-Z][A-Z0-9_]{0,39}$/.test(name) || !/^\d{4}$/.test(String(code)));
  expect(odd).toEqual([]);
});

/** Problems whose texts the specification quotes, so they must stay unchanged. */
const VERBATIM: readonly ProblemName[] = ['TRIAL_RECIPIENT_NOT_ALLOWED', 'RATE_LIMIT_EXCEEDED'];

test('a public text ends with a period only if it has more than one sentence', () => {
  const texts = Object.entries(PROBLEMS)
    .filter(([name]) => !VERBATIM.includes(name as ProblemName))
    .map(([, row]) => row.public);
  expect(texts.filter((text) => text.includes('. ') !== text.endsWith('.') || !/[\w).}"]$/.test(text))).toEqual([]);
});

test.each([/\bplease\b/i, / told\b/, /\bnobody\b/i, /\bsomebody\b/i, /\bmend\b/i, /\bE-mail\b/, /!/])(
  'no text in the catalog matches %s',
  (phrase) => {
    const texts = Object.values(PROBLEMS).flatMap((row) => [row.public, row.internal ?? '']);
    expect(texts.filter((text) => phrase.test(text))).toEqual([]);
  },
);

test('problems with special handling on screens have the codes from the catalog', () => {
  expect(Object.entries(CLIENT_PROBLEMS).map(([name]) => [name, problemCode(name as ProblemName)])).toEqual(
    Object.entries(CLIENT_PROBLEMS),
  );
  expect([1126, 1524, undefined].map(clientProblem)).toEqual(['PROOF_REQUIRED', 'OTHER', 'UNKNOWN']);
});

test('a problem has the code and the internal text from the catalog', () => {
  expect(problemCode('ACCOUNT_UNVERIFIED')).toBe(1524);
  expect(problemInternal('ACCOUNT_UNVERIFIED')).toMatch(/^The account is not in the state VERIFIED/);
  expect(problemInternal('MESSAGE_TEXT_REQUIRED')).toBe('MESSAGE_TEXT_REQUIRED: Text is required');
});

test('a problem keeps its internal text separate from its message', () => {
  const problem = new Problem('CARRIER_UNAVAILABLE', {
    message: 'Try again in a minute',
    internal: 'connect ECONNREFUSED',
  });
  expect(problem).toMatchObject({ name: 'CARRIER_UNAVAILABLE', status: 503, field: 'carrier_address' });
  expect([problem.message, problem.internal]).toEqual(['Try again in a minute', 'connect ECONNREFUSED']);
  expect(String(problem)).not.toContain('ECONNREFUSED');
});

test.each([
  [['wa_category'], 'WhatsApp category'],
  [['filter', 'statuses', 0], 'Statuses 1'],
  [['sample_messages', '1'], 'Sample messages 2'],
  [['media_url'], 'Media URL'],
  [[], 'Value'],
] as const)('the label of %j is %s', (path, label) => expect(fieldLabel(path)).toBe(label));
