/** Notes, drafts, labels, scheduled messages, teams, and rules of conversations. */
import type { Rows } from './row.ts';

export const INBOX = {
  NOTE_TEXT_REQUIRED: { code: 2330, status: 400, public: 'Write a note', field: 'text' },
  NOTE_TEXT_TOO_LONG: { code: 2331, status: 400, public: 'A note can have at most 5,000 characters', field: 'text' },
  MENTION_NOT_ALLOWED: {
    code: 2332,
    status: 400,
    public: 'A mentioned user cannot view this conversation. Remove the mention.',
    field: 'mentions',
  },
  MENTIONS_LIMIT_EXCEEDED: {
    code: 2333,
    status: 400,
    public: 'A note can mention at most 20 users',
    field: 'mentions',
  },
  NOTE_NOT_FOUND: { code: 2334, status: 404, public: 'Note not found' },
  NOTE_NOT_OWN: { code: 2335, status: 403, public: 'You can delete only your own notes' },
  LABEL_NOT_FOUND: { code: 2336, status: 404, public: 'Label not found' },
  LABEL_EXISTS: { code: 2337, status: 409, public: 'A label with this name already exists', field: 'name' },
  LABELS_LIMIT_EXCEEDED: { code: 2338, status: 400, public: 'An account can have at most 100 labels' },
  DRAFT_TOO_LONG: { code: 2339, status: 400, public: 'A draft can have at most 10,000 characters' },
  REPLY_NOT_FOUND: { code: 2352, status: 404, public: 'Reply by another user not found' },
  QUOTE_NOT_SUPPORTED: {
    code: 2650,
    status: 400,
    public: 'Messages on this channel cannot quote an earlier message',
    field: 'reply_to',
  },
  QUOTED_MESSAGE_NOT_FOUND: {
    code: 2651,
    status: 400,
    public: 'The quoted message is not in this conversation, or it was not sent',
    field: 'reply_to',
  },
  REACTION_NOT_SUPPORTED: { code: 2652, status: 400, public: 'Messages on this channel cannot get reactions' },
  MESSAGE_NOT_SENT: { code: 2653, status: 409, public: 'The message was not sent, so it cannot get a reaction' },
  EMOJI_INVALID: { code: 2654, status: 400, public: 'Enter one emoji', field: 'emoji' },
  MESSAGE_NOT_IN_CONVERSATION: { code: 2655, status: 404, public: 'Message not found in this conversation' },
  MESSAGE_NOT_SCHEDULED: {
    code: 2366,
    status: 409,
    public: 'The message is not scheduled or has already been sent',
  },
  RESCHEDULE_CHANGES_PRICE: {
    code: 2367,
    status: 409,
    public: 'The price would be different at this time. Cancel the message and schedule it again.',
    field: 'schedule',
  },
  INBOX_TEAM_NOT_FOUND: { code: 2368, status: 404, public: 'Team not found' },
  PUSH_SUBSCRIPTION_INVALID: {
    code: 2530,
    status: 400,
    public: 'The browser has no valid subscription. Turn notifications on again.',
    field: 'endpoint',
  },
  PUSH_DEVICES_LIMIT_EXCEEDED: {
    code: 2531,
    status: 409,
    public: 'You can get notifications on at most 10 devices. Turn one off first.',
  },
  PUSH_DEVICE_NOT_FOUND: { code: 2532, status: 404, public: 'Device not found' },
  INBOX_RULE_NOT_FOUND: { code: 2369, status: 404, public: 'Rule not found' },
  CARD_INVALID: { code: 2693, status: 400, public: 'The location, the contacts, or the list is missing or not valid' },
  CARD_NOT_SUPPORTED: {
    code: 2694,
    status: 400,
    public: 'This message cannot have a location, contacts, or a list. Only WhatsApp messages without a template can.',
  },
  RESPONSE_SHORTCUT_INVALID: {
    code: 2690,
    status: 400,
    public: 'A shortcut has 1 to 30 letters, digits, hyphens, or underscores, and no spaces',
    field: 'shortcut',
  },
  RESPONSE_SHORTCUT_EXISTS: {
    code: 2691,
    status: 409,
    public: 'Another response already has this shortcut',
    field: 'shortcut',
  },
  RESPONSE_NOT_EDITABLE: {
    code: 2692,
    status: 403,
    public:
      'This response belongs to another user. To change it, you need Edit Message permission. Only its user can make ' +
      'it private.',
  },
} as const satisfies Rows;
