/**
 * What WhatsApp reports beside messages: the states of templates and senders, and opt-outs from marketing. Other fields
 * are ignored.
 */
import type { Notice } from '../channel.ts';
import { type Json, listOf, objectOf, textOf } from '../wire_json.ts';
import { qualityOf, standing } from './templates.ts';

type State = Record<string, string | number | boolean>;

export function noticesOf(field: string, value: Json): Notice[] {
  return Object.hasOwn(FIELDS, field) ? FIELDS[field]!(value) : [];
}

const FIELDS: Readonly<Record<string, (value: Json) => Notice[]>> = {
  message_template_status_update: (value) => {
    const { event, reason, other_info, message_template_category: category } = value;
    const why = textOf(reason, 100);
    const title = textOf(objectOf(other_info).title, 100);
    const stands = standing(textOf(event, 50), why === 'NONE' ? title : why);
    return stands ? templateNotice(value, { ...stands, category: textOf(category, 50) || null }) : [];
  },
  // `correct_category` alone announces a later change.
  template_category_update: (value) => {
    const category = textOf(value.new_category, 50);
    return category === '' || textOf(value.previous_category) === '' ? [] : detailNotice(value, { category });
  },
  message_template_quality_update: (value) => detailNotice(value, { quality: qualityOf(value.new_quality_score) }),
  phone_number_quality_update: ({ display_phone_number, event, current_limit, max_daily_conversations_per_business }) =>
    senderNotice(display_phone_number, {
      // FLAGGED means a low rating, in the words of `fetchState`. After other events only `fetchState` knows it.
      quality: event === 'FLAGGED' ? 'RED' : '',
      quality_event: textOf(event, 50),
      limit: textOf(max_daily_conversations_per_business, 50) || textOf(current_limit, 50),
    }),
  phone_number_name_update: ({ display_phone_number, decision, requested_verified_name, rejection_reason }) =>
    senderNotice(display_phone_number, {
      name_status: textOf(decision, 50),
      name: textOf(decision) === 'APPROVED' ? textOf(requested_verified_name, 200) : '',
      name_reason: reasonOf(rejection_reason),
    }),
  account_update: ({ phone_number, event, ban_info, violation_info, restriction_info }) =>
    senderNotice(phone_number, {
      account_event: textOf(event, 100),
      ban: textOf(objectOf(ban_info).waba_ban_state, 100),
      violation: textOf(objectOf(violation_info).violation_type, 200),
      restrictions: listOf(restriction_info)
        .map((one) => textOf(objectOf(one).restriction_type, 100))
        .filter((one) => one !== '')
        .join(', '),
    }),
  business_capability_update: (value) =>
    senderNotice('', {
      limit:
        textOf(value.max_daily_conversations_per_business, 50) || textOf(value.max_daily_conversation_per_phone, 50),
    }),
  user_preferences: ({ metadata, user_preferences }) => {
    const address = textOf(objectOf(metadata).phone_number_id, 100);
    return listOf(user_preferences)
      .map(objectOf)
      .flatMap(({ wa_id, user_id, category, value }): Notice[] => {
        const from = textOf(wa_id, 200) || textOf(user_id, 200);
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
  const external_id = textOf(message_template_id, 100);
  return external_id === '' ? [] : [{ kind: 'template', external_id, ...rest }];
}

function detailNotice(
  { message_template_id }: Json,
  rest: Omit<Extract<Notice, { kind: 'template_detail' }>, 'kind' | 'external_id'>,
): Notice[] {
  const external_id = textOf(message_template_id, 100);
  return external_id === '' ? [] : [{ kind: 'template_detail', external_id, ...rest }];
}

const reasonOf = (value: unknown): string => (textOf(value, 200) === 'NONE' ? '' : textOf(value, 200));

/** Values that are not reported are left out, so the known ones stay. */
function senderNotice(number: unknown, values: State): Notice[] {
  const state = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
  const address = textOf(number, 50).replace(/\D/g, '');
  return Object.keys(state).length > 0 ? [{ kind: 'sender', address, state }] : [];
}
