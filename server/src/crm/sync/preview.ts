/** Shows what a sync would change, with the same decisions, but without writing anything. */
import type { CrmName } from '@parley/contract/crm/crm.ts';
import type { CrmPreview, CrmPreviewRow, CrmSyncSettings } from '@parley/contract/crm/sync.ts';
import type { Ctx } from '../../kernel/http/endpoint.ts';
import { callAsAny, toCallProblem } from '../access.ts';
import { provider } from '../apps.ts';
import type { CrmContact } from '../providers/provider.ts';
import { readContext, type SyncContext } from './context.ts';
import { pairRecords } from './pairing.ts';
import { listAudienceNumbers, listLinksByNumber } from './queries.ts';
import { decide, type Plan } from './reconcile.ts';
import { checkSettings } from './settings.ts';
import { readStates, toSlots } from './values.ts';

const MAX_PAGES = 5;
const MAX_CONTACTS = 500;
const MAX_ROWS = 20;
const ZERO = '00000000-0000-0000-0000-000000000000';

export async function previewSync(
  { kernel, actor }: Pick<Ctx, 'kernel' | 'actor'>,
  name: CrmName,
  settings: CrmSyncSettings,
): Promise<CrmPreview> {
  const { account_id } = actor;
  const call = await callAsAny(kernel, account_id, name);
  const fields = await provider(name).fields(call).catch(toCallProblem);
  await checkSettings(kernel.db, account_id, settings, fields);
  const key = { account_id, provider: name };
  const context = await readContext(kernel, key, call, settings).catch(toCallProblem);
  const { contacts, isComplete } = await readRecords(context).catch(toCallProblem);
  const paired = await pairRecords(context, contacts, { isDry: true }).catch(toCallProblem);
  const request = { account_id, audience_id: settings.audience_id, maps: settings, label: context.label };
  const states = await readStates(kernel.db, request, paired.pairings);
  const plans = paired.pairings.flatMap((pairing) => {
    const plan = decide(context, settings, pairing, states.get(pairing.number)!);
    return plan ? [plan] : [];
  });
  const rows = plans.flatMap((plan) => describePlan(context, plan));
  const local = await readLocal(context, settings, new Set(paired.pairings.map(({ number }) => number)));
  const all = [...rows, ...local.rows];
  const count = (change: CrmPreviewRow['change']) => all.filter((row) => row.change === change).length;
  return {
    records_count: contacts.length,
    contacts_count: local.count,
    is_complete: isComplete && local.isComplete,
    add_to_parley_count: count('add_to_parley'),
    update_parley_count: count('update_parley'),
    add_to_crm_count: count('add_to_crm'),
    update_crm_count: count('update_crm'),
    without_number_count: paired.without_number_count,
    duplicate_count: paired.duplicates.length,
    rows: shown(all),
  };
}

/** Some rows of each kind. */
function shown(rows: readonly CrmPreviewRow[]): CrmPreviewRow[] {
  const kinds = ['add_to_parley', 'update_parley', 'add_to_crm', 'update_crm'] as const;
  return kinds.flatMap((kind) => rows.filter(({ change }) => change === kind).slice(0, MAX_ROWS / kinds.length));
}

async function readRecords({ crm, call, definitions }: SyncContext) {
  const contacts: CrmContact[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < MAX_PAGES; page++) {
    const read: Awaited<ReturnType<typeof crm.contactPage>> = await crm.contactPage(call, definitions, {
      cursor,
      since: null,
    });
    contacts.push(...read.rows);
    cursor = read.cursor;
    if (cursor === null) return { contacts, isComplete: true };
  }
  return { contacts, isComplete: false };
}

/** A person can be changed on both sides, which makes two rows. */
function describePlan({ maps, definitions }: SyncContext, { pairing, state, slots, decisions }: Plan): CrmPreviewRow[] {
  const { contact, number } = pairing;
  const changed = (side: 'to_parley' | 'to_crm') =>
    decisions.flatMap((decision, at) => {
      const value = decision[side];
      const slot = slots[at]!;
      const before = side === 'to_parley' ? slot.parley : slot.crm;
      return value === null ? [] : [{ label: slotLabel(maps, definitions, slot.key), before, after: value }];
    });
  const name = contact.name || state.name;
  const inParley = changed('to_parley');
  const inCrm = changed('to_crm');
  return [
    ...(!state.is_member ? [{ name, number, change: 'add_to_parley' as const, fields: inParley }] : []),
    ...(state.is_member && inParley.length > 0
      ? [{ name, number, change: 'update_parley' as const, fields: inParley }]
      : []),
    ...(inCrm.length > 0 ? [{ name, number, change: 'update_crm' as const, fields: inCrm }] : []),
  ];
}

function slotLabel(
  { fields, consents, opt_out }: SyncContext['maps'],
  definitions: SyncContext['definitions'],
  key: string,
): string {
  const map =
    fields.find(({ parley }) => parley === key) ??
    consents.find(({ channel, purpose }) => key === `consent.${channel}.${purpose}`) ??
    opt_out;
  return definitions.find((field) => field.key === map?.crm)?.label ?? key;
}

/** Contacts of the audience that no record has. If there are more records, some of these may still have one. */
async function readLocal(
  context: SyncContext,
  settings: CrmSyncSettings,
  known: ReadonlySet<string>,
): Promise<{ rows: CrmPreviewRow[]; count: number; isComplete: boolean }> {
  if (settings.direction === 'to_parley') return { rows: [], count: 0, isComplete: true };
  const { kernel, account_id, maps, own, definitions } = context;
  const found = await listAudienceNumbers(kernel.db, account_id, settings.audience_id, ZERO, MAX_CONTACTS + 1);
  const numbers = found.slice(0, MAX_CONTACTS).map(({ number }) => number);
  const linked = new Set((await listLinksByNumber(kernel.db, context, numbers)).map(({ number }) => number));
  const missing = numbers.filter((number) => !known.has(number) && !linked.has(number));
  const states = await readStates(
    kernel.db,
    { account_id, audience_id: settings.audience_id, maps, label: context.label },
    missing.map((number) => ({ number, country: '' })),
  );
  const rows = missing.map((number): CrmPreviewRow => {
    const state = states.get(number)!;
    const fields = toSlots(maps, own, {}, state, {}).flatMap(({ key, parley }) =>
      parley === '' || parley === 'no' ? [] : [{ label: slotLabel(maps, definitions, key), before: '', after: parley }],
    );
    return { name: state.name, number, change: 'add_to_crm', fields };
  });
  return { rows, count: numbers.length, isComplete: found.length <= MAX_CONTACTS };
}
