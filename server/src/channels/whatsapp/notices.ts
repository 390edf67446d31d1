/**
 * Reads WhatsApp's reports about anything other than messages: the states of templates and senders, and opt-outs from
 * marketing. Other fields are ignored.
 */
import type { Notice } from '../channel.ts';
import { type Json, toList, toObject, toText } from '../wire_json.ts';
import { readStanding, toQuality } from './templates.ts';

type State = Record<string, string | number | boolean>;

export function readNotices(field: string, value: Json): Notice[] {
  return Object.hasOwn(FIELDS, field) ? FIELDS[field]!(value) : [];
}

const FIELDS: Readonly<Record<string, (value: Json) => Notice[]>> = {
  message_template_status_update: (value) => {
    const { event, reason, other_info, message_template_category: category } = value;
    const reason_code = toText(reason, 100);
    const title = toText(toObject(other_info).title, 100);
    const verdict = readStanding(toText(event, 50), reason_code === 'NONE' ? title : reason_code);
    return verdict ? templateNotice(value, { ...verdict, category: toText(category, 50) || null }) : [];
  },
  // `correct_category` alone announces a later change.
  template_category_update: (value) => {
    const category = toText(value.new_category, 50);
    return category === '' || toText(value.previous_category) === '' ? [] : detailNotice(value, { category });
  },
  message_template_quality_update: (value) => detailNotice(value, { quality: toQuality(value.new_quality_score) }),
  phone_number_quality_update: ({ display_phone_number, event, current_limit, max_daily_conversations_per_business }) =>
    senderNotice(display_phone_number, {
      // FLAGGED means a low rating, and is mapped to the value that `fetchState` uses. After other events, only
      // `fetchState` knows the rating.
      quality: event === 'FLAGGED' ? 'RED' : '',
      quality_event: toText(event, 50),
      limit: toText(max_daily_conversations_per_business, 50) || toText(current_limit, 50),
    }),
  phone_number_name_update: ({ display_phone_number, decision, requested_verified_name, rejection_reason }) =>
    senderNotice(display_phone_number, {
      name_status: toText(decision, 50),
      name: toText(decision) === 'APPROVED' ? toText(requested_verified_name, 200) : '',
      name_reason: toReason(rejection_reason),
    }),
  account_update: ({ phone_number, event, ban_info, violation_info, restriction_info }) =>
    senderNotice(phone_number, {
      account_event: toText(event, 100),
      ban: toText(toObject(ban_info).waba_ban_state, 100),
      violation: toText(toObject(violation_info).violation_type, 200),
      restrictions: toList(restriction_info)
        .map((item) => toText(toObject(item).restriction_type, 100))
        .filter((item) => item !== '')
        .join(', '),
    }),
  business_capability_update: (value) =>
    senderNotice('', {
      limit:
        toText(value.max_daily_conversations_per_business, 50) || toText(value.max_daily_conversation_per_phone, 50),
    }),
  user_preferences: ({ metadata, user_preferences }) => {
    const address = toText(toObject(metadata).phone_number_id, 100);
    return toList(user_preferences)
      .map(toObject)
      .flatMap(({ wa_id, user_id, category, value }): Notice[] => {
        const from = toText(wa_id, 200) || toText(user_id, 200);
        const isMarketing = category === 'marketing_messages' && (value === 'stop' || value === 'resume');
        return isMarketing && from !== '' && address !== ''
          ? [{ kind: 'consent', address, from, stopped: value === 'stop' }]
          : [];
      });
  },
};

function templateNotice(
  { message_template_id }: Json,
  rest: Omit<Extract<Notice, { kind: 'template' }>, 'kind' | 'external_id'>,
): Notice[] {
  const external_id = toText(message_template_id, 100);
  return external_id === '' ? [] : [{ kind: 'template', external_id, ...rest }];
}

function detailNotice(
  { message_template_id }: Json,
  rest: Omit<Extract<Notice, { kind: 'template_detail' }>, 'kind' | 'external_id'>,
): Notice[] {
  const external_id = toText(message_template_id, 100);
  return external_id === '' ? [] : [{ kind: 'template_detail', external_id, ...rest }];
}

const toReason = (value: unknown): string => (toText(value, 200) === 'NONE' ? '' : toText(value, 200));

/** Omits values that were not reported, so that the stored values stay. */
function senderNotice(number: unknown, values: State): Notice[] {
  const state = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
  const address = toText(number, 50).replace(/\D/g, '');
  return Object.keys(state).length > 0 ? [{ kind: 'sender', address, state }] : [];
}
