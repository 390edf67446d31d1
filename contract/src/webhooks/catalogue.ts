/**
 * The events that webhooks send. Each one is a stored event, or those of its kind that match a condition. The data of a
 * delivery is the payload of the stored event, as the live stream sends it.
 */
import { stopListChanged } from '../audiences/stop_list.ts';
import { balanceChanged } from '../billing/billing.ts';
import { balanceLow, ratesAnnounced } from '../billing/money_events.ts';
import { campaignCreated, campaignDeleted, campaignUpdated } from '../campaigns/campaigns.ts';
import type { AnyEventType } from '../event.ts';
import { allowedCountriesChanged } from '../guard/allowed_countries.ts';
import { countryBlacklistChanged } from '../guard/country_blacklist.ts';
import { limitWarning, violationExpired, violationStarted } from '../guard/limits.ts';
import { messagesHeld, messagesRejected } from '../guard/review_events.ts';
import { trafficStopEnded, trafficStopStarted } from '../guard/traffic_stops.ts';
import { conversationCreated, conversationDeleted, conversationUpdated } from '../inbox/inbox.ts';
import { anomalyEnded, anomalyStarted } from '../insights/anomalies.ts';
import { linkClicked } from '../links/links.ts';
import { messageChanged, messageCreated, messageStatusChanged } from '../messages/messages.ts';
import { optInConfirmed } from '../opt_in_forms/opt_in_forms.ts';
import { senderCreated, senderRemoved, senderUpdated } from '../senders/senders.ts';
import { templateCreated, templateRemoved, templateUpdated } from '../templates/templates.ts';
import { codeStopEnded, codeStopStarted } from '../verifications/stops.ts';
import { verificationChanged } from '../verifications/verifications.ts';

export interface WebhookEvent {
  /** The name in the settings of a webhook and in the field `type` of a delivery. */
  readonly name: string;
  readonly label: string;
  readonly type: AnyEventType;
  /** The value that a field of the payload must have. */
  readonly where?: { readonly field: string; readonly value: string };
}

const all = (name: string, label: string, type: unknown): WebhookEvent => ({ name, label, type: type as AnyEventType });
const where = (name: string, label: string, type: unknown, field: string, value: string): WebhookEvent => ({
  ...all(name, label, type),
  where: { field, value },
});
const status = (name: string, label: string) => where(`message.${name}`, label, messageStatusChanged, 'status', name);

const code = (name: string, label: string) => where(`verification.${name}`, label, verificationChanged, 'status', name);

export const WEBHOOK_EVENTS: readonly WebhookEvent[] = [
  where('message.received', 'A message arrives', messageCreated, 'direction', 'MO'),
  status('sent', 'The carrier accepts a message'),
  status('delivered', 'A message is delivered'),
  status('read', 'A message is read'),
  status('failed', 'A message fails'),
  status('rejected', 'A message is rejected'),
  status('expired', 'A message expires'),
  status('blocked', 'A message is blocked'),
  status('unsubscribed', 'The recipient of a message has opted out'),
  status('canceled', 'A message is canceled'),
  all('message.changed', 'A message is edited or deleted, or gets a reaction', messageChanged),
  all('conversation.created', 'A conversation starts', conversationCreated),
  all('conversation.updated', 'A conversation changes', conversationUpdated),
  all('conversation.deleted', 'A conversation is deleted', conversationDeleted),
  all('campaign.created', 'A campaign is created', campaignCreated),
  all('campaign.updated', 'A campaign’s status or settings change', campaignUpdated),
  all('campaign.deleted', 'A campaign is deleted', campaignDeleted),
  all('sender.created', 'A sender is created', senderCreated),
  all('sender.updated', 'A sender changes', senderUpdated),
  all('sender.removed', 'A sender is deleted', senderRemoved),
  all('template.created', 'A template is created', templateCreated),
  all('template.updated', 'A template changes, for example after its review', templateUpdated),
  all('template.removed', 'A template is deleted', templateRemoved),
  where('opt_out.added', 'A number opts out or is added to the stop list', stopListChanged, 'change', 'stopped'),
  where('opt_out.removed', 'A number is removed from the stop list', stopListChanged, 'change', 'started'),
  all('opt_in.confirmed', 'A person joins an audience on an opt-in form', optInConfirmed),
  code('verified', 'A verification code is entered'),
  code('failed', 'A verification code has too many wrong attempts'),
  code('expired', 'A verification code expires without being entered'),
  all('code_stop.started', 'Verification codes to a destination show a sign of fraud', codeStopStarted),
  all('code_stop.ended', 'Verification codes to a destination are allowed again', codeStopEnded),
  all('traffic_stop.started', 'Messages to a destination show a sign of fraud', trafficStopStarted),
  all('traffic_stop.ended', 'Messages to a destination are allowed again', trafficStopEnded),
  all('limit.warning', 'A traffic limit reaches a warning percentage', limitWarning),
  all('limit.reached', 'A traffic limit is reached', violationStarted),
  all('limit.reset', 'A traffic limit that was reached resets or changes', violationExpired),
  all('messages.held_for_review', 'Messages are awaiting review by an operator', messagesHeld),
  all('messages.rejected_in_review', 'An operator rejects messages in review', messagesRejected),
  all('country_blacklist.changed', 'The blocked countries change', countryBlacklistChanged),
  all('allowed_countries.changed', 'The allowed countries change', allowedCountriesChanged),
  all('anomaly.started', 'Traffic differs from the same hour of previous weeks', anomalyStarted),
  all('anomaly.ended', 'Traffic is back to normal', anomalyEnded),
  all('link.clicked', 'A person opens a short link', linkClicked),
  all('balance.changed', 'The balance changes', balanceChanged),
  all('balance.low', 'The balance falls below an amount of the credit alert', balanceLow),
  all('rates.announced', 'A price change is announced, changed, or canceled', ratesAnnounced),
];

export const WEBHOOK_EVENT_NAMES: readonly string[] = WEBHOOK_EVENTS.map(({ name }) => name);
