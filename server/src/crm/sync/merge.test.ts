import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type MergeRule, mergeSlot, type Slot } from './merge.ts';

const BOTH: MergeRule = { direction: 'both', rule: 'newest', newest: 'crm' };
const slot = (crm: string, parley: string, base?: Slot['base'], more: Partial<Slot> = {}): Slot => ({
  ...{ key: 'first_name', crm, parley, base },
  ...more,
});
const decide = (one: Slot, rule: Partial<MergeRule> = {}) => {
  const { to_parley, to_crm } = mergeSlot(one, { ...BOTH, ...rule });
  return [to_parley, to_crm];
};

describe('a value', () => {
  test.each<[string, Slot, Partial<MergeRule>, [string | null, string | null]]>([
    ['that both sides have is left alone', slot('Ada', 'Ada'), {}, [null, null]],
    ['that only the CRM changed goes to Parley', slot('Ada', 'Eda', ['Eda', 'Eda']), {}, ['Ada', null]],
    ['that only Parley changed goes to the CRM', slot('Ada', 'Eda', ['Ada', 'Ada']), {}, [null, 'Eda']],
    ['that the CRM cleared is cleared in Parley', slot('', 'Ada', ['Ada', 'Ada']), {}, ['', null]],
    ['that is empty before the first sync replaces nothing', slot('', 'Ada'), {}, [null, 'Ada']],
    [
      'that both sides store differently is no change',
      slot('Anna', 'Anna Maria', ['Anna', 'Anna Maria']),
      {},
      [null, null],
    ],
    ['in conflict follows the newest change', slot('A', 'B', ['C', 'C']), {}, ['A', null]],
    ['in conflict follows the newest change of Parley', slot('A', 'B', ['C', 'C']), { newest: 'parley' }, [null, 'B']],
    ['in conflict follows the rule for the CRM', slot('A', 'B'), { rule: 'crm', newest: 'parley' }, ['A', null]],
    ['in conflict follows the rule for Parley', slot('A', 'B'), { rule: 'parley' }, [null, 'B']],
    [
      'of Parley stays if the sync only goes to Parley',
      slot('A', 'B', ['A', 'A']),
      { direction: 'to_parley' },
      [null, null],
    ],
    [
      'of the CRM stays if the sync only goes to the CRM',
      slot('B', 'A', ['A', 'A']),
      { direction: 'to_crm' },
      [null, null],
    ],
    [
      'has no conflict in one direction',
      slot('A', 'B', ['C', 'C']),
      { direction: 'to_parley', rule: 'parley' },
      ['A', null],
    ],
  ])('%s', (_, one, rule, expected) => {
    expect(decide(one, rule)).toEqual(expected);
  });
});

describe('a decision of the person', () => {
  const consent = (crm: string, parley: string, base?: Slot['base'], locked = true) =>
    slot(crm, parley, base, { safe: 'no', sticky: true, locked });
  test('wins a conflict if it is an opt-out, regardless of the rule', () => {
    expect(decide(consent('yes', 'no', undefined, false), { rule: 'crm' })).toEqual([null, 'no']);
    expect(decide(consent('no', 'yes', ['yes', 'yes']), { rule: 'parley' })).toEqual(['no', null]);
  });
  test('cannot be reversed by the CRM', () => {
    expect(decide(consent('yes', 'no', ['no', 'no']), { rule: 'crm' })).toEqual([null, 'no']);
  });
  test('that the CRM reported can be reversed by the CRM', () => {
    expect(decide(consent('yes', 'no', ['no', 'no'], false))).toEqual(['yes', null]);
  });
  test('is not undone by an empty field', () => {
    expect(decide(consent('', 'yes', ['yes', 'yes']), { rule: 'crm' })).toEqual([null, 'yes']);
  });
});

test('after a sync, no changes remain, regardless of the values', () => {
  const text = fc.constantFrom('', 'A', 'B', 'yes', 'no', '\u{1f600}', 'x\u0000');
  const base = fc.option(fc.tuple(text, text), { nil: undefined });
  const rule = fc.record({
    direction: fc.constantFrom('both' as const, 'to_crm' as const, 'to_parley' as const),
    rule: fc.constantFrom('crm' as const, 'parley' as const, 'newest' as const),
    newest: fc.constantFrom('crm' as const, 'parley' as const),
  });
  fc.assert(
    fc.property(text, text, base, fc.boolean(), fc.boolean(), rule, (crm, parley, before, sticky, locked, given) => {
      const one = slot(crm, parley, before, { sticky, locked, safe: 'no' });
      const { to_parley, to_crm } = mergeSlot(one, given);
      expect(to_parley === null || to_crm === null).toBe(true);
      const [nextCrm, nextParley] = [to_crm ?? crm, to_parley ?? parley];
      const after = mergeSlot({ ...one, crm: nextCrm, parley: nextParley, base: [nextCrm, nextParley] }, given);
      if (to_parley !== null || to_crm !== null) expect([after.to_parley, after.to_crm]).toEqual([null, null]);
      if (given.direction === 'to_parley') expect(to_crm).toBeNull();
      if (given.direction === 'to_crm') expect(to_parley).toBeNull();
    }),
  );
});
