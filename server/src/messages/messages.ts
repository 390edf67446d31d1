/**
 * The public interface of the messages module. Every outbound message enters through `accept`, and its status changes
 * only through `applyStatuses`.
 */

export { messageChecks } from './check.ts';
export { deliveryChecks } from './delivery/checks.ts';
export { accept } from './gate/accept.ts';
export { cancelMessage } from './gate/cancel.ts';
export { composeMessage, composeTemplate } from './gate/compose.ts';
export type { Fallback } from './gate/fallback_gate.ts';
export { judge, type Passed, withoutPrice } from './gate/recipients.ts';
export { RETRYABLE, requeueFailed } from './gate/requeue.ts';
export { sendMessages } from './gate/send.ts';
export { sendTogether } from './gate/send_together.ts';
export { countTestsLeft, requireTestsLeft } from './gate/try_it_now.ts';
export type { Change } from './model/change.ts';
export type { ComposedMessage, PersonalMessage } from './model/composed_message.ts';
export { wakeDispatch } from './model/dispatch_wake.ts';
export { messageColumns } from './model/message_columns.ts';
export { trafficClass } from './model/traffic_class.ts';
export { erasePayloads } from './payloads/recordings.ts';
export { resolveCarrier } from './routing/carrier.ts';
export { poorHealth } from './routing/connection_health.ts';
export { findNetworks, type KnownNetwork, type KnownNetworks, onNetworks } from './routing/known_networks.ts';
export { findOpenSessions } from './routing/open_sessions.ts';
export { forgetRoutes, getRouteBook } from './routing/route_book.ts';
export { fallbackChecks } from './status/fallback_checks.ts';
export { announceHold } from './status/held.ts';
export { lockWaiting, type MessageKey, rejectMessages, releaseMessages } from './status/reviewed.ts';
export { applyStatuses, onCampaignTouched } from './status/status.ts';
export { trimUnmatched } from './status/unmatched.ts';
export { markVerified } from './status/verification_status.ts';
export { sendInTest, storeTestMessages } from './testing/test_messages.ts';
export { conversationSelect } from './thread/conversation_select.ts';
export {
  createdBefore,
  createdSince,
  dimensionValue,
  findMark,
  inSlot,
  listChangedSlots,
  SLOT_MS,
  slotRows,
} from './thread/counted_slots.ts';
export { listLoggedMessages, readLogColumns } from './thread/log.ts';
export { markReadSoon } from './thread/mark_read.ts';
export { setReaction } from './thread/reactions.ts';
export { applyRules } from './thread/rules_start.ts';
export { addTexts, eraseTexts, removeText, sealTexts, writeTexts } from './thread/search_texts.ts';
export { type Query, readQuery, snippet } from './thread/search_words.ts';
export { threadIds, threadRows } from './thread/thread_select.ts';
