import { expect, test } from 'vitest';
import { z } from 'zod';
import { problem, range } from './common.ts';
import { AREAS, CATALOGUE, issueMessage, labelOfPath } from './problem.ts';

const wordsFor = (schema: z.ZodType, value: unknown, label: string): string | null => {
  const issue = schema.safeParse(value).error?.issues[0];
  return issue ? issueMessage(issue, label) : null;
};

test.each([
  ['nothing where a text is asked for', z.string(), undefined, 'Name', 'Name is required!'],
  ['an empty text', z.string().min(1), '', 'Name', 'Name is required!'],
  ['null where a number is asked for', z.int(), null, 'Port', 'Port is required!'],
  ['an empty list', z.array(z.string()).min(1), [], 'Recipients', 'Recipients is required!'],
  ['no address', z.email(), 'dana@', 'Email', 'Email is not a valid email!'],
  ['a text where a number is asked for', z.number(), 'many', 'Priority', 'Priority is not a valid number!'],
  ['what was no number before', z.number(), Number.NaN, 'Priority', 'Priority is not a valid number!'],
  ['a part where a whole number is asked for', z.int(), 1.5, 'Priority', 'Priority is not a valid number!'],
  ['below both bounds', range(1, 16), 0, 'Binds', 'Binds must be between 1 and 16'],
  ['above both bounds', range(1, 16), 17, 'Binds', 'Binds must be between 1 and 16'],
  ['a text where a range is asked for', range(1, 16), 'x', 'Binds', 'Binds is not a valid number!'],
  ['below the one bound', z.int().min(1), 0, 'Size', 'Size must be at least 1'],
  ['above the one bound', z.number().max(5), 6, 'Size', 'Size can be at most 5'],
  ['a short text', z.string().min(3), 'a', 'Display name', 'Display name must have at least 3 characters'],
  ['a long text', z.string().max(5), 'abcdef', 'Search', 'Search can have at most 5 characters'],
  ['a long list', z.array(z.string()).max(1), ['a', 'b'], 'Recipients', 'Recipients can have at most 1'],
  ['none of the few', z.enum(['MT', 'MO']), 'XX', 'Direction', 'Direction must be one of MT, MO'],
  ['not the only one', z.literal('SMS'), 'XX', 'Channel', 'Channel must be SMS'],
  ['a text where yes or no is asked for', z.boolean(), 'yes', 'Enabled', 'Enabled must be true or false'],
  ['a number where a text is asked for', z.string(), 7, 'Name', 'Name must be text'],
  ['a text where a list is asked for', z.array(z.string()), 'a', 'Numbers', 'Numbers must be a list'],
  ['an id that is none', z.uuid(), 'x', 'Template', 'Template is not valid!'],
  ['a field nobody asked for', z.strictObject({}), { more: 1 }, 'Body', 'Body has no more'],
  ['words of our own', z.string().regex(/^a/, 'begins with a'), 'b', 'Name', 'Name: begins with a'],
  ['a rule with a code of its own', z.string({ error: problem(1113) }), undefined, 'Email', 'E-mail is not valid'],
] as const)('%s', (_, schema, value, label, words) => {
  expect(wordsFor(schema, value, label)).toBe(words);
});

test.each([1, 8, 16])('%i is within its bounds', (value) => {
  expect(wordsFor(range(1, 16), value, 'Binds')).toBeNull();
});

test('a code is given once, whatever file its row stands in', () => {
  const codes = AREAS.flatMap((area) => Object.keys(area));
  expect(codes.filter((code, index) => codes.indexOf(code) !== index)).toEqual([]);
  expect(codes.sort()).toEqual(Object.keys(CATALOGUE).sort());
});

test.each([
  [['wa_category'], 'Wa category'],
  [['filter', 'statuses', 0], 'Statuses 1'],
  [['sample_messages', '1'], 'Sample messages 2'],
  [[], 'Value'],
] as const)('%j is called %s', (path, label) => expect(labelOfPath(path)).toBe(label));
