/** Messages, for the other modules: everything that is sent goes in by `accept` and changes by `applyStatuses`, and by nothing else. */
export { type Accepted, type AcceptRequest, accept, type Recipient, type Refused } from './accept.ts';
export { carrierOf } from './carriers.ts';
export type { Applied, Change } from './change.ts';
export { messageChecks } from './check.ts';
export { deliveryChecks } from './check_delivery.ts';
export { messageColumns } from './columns.ts';
export { conversationSelect } from './conversation_select.ts';
export { legChecks } from './leg_check.ts';
export { markReadSoon } from './mark_read.ts';
export { judge, type Passed } from './recipients.ts';
export { RETRYABLE, revive } from './revive.ts';
export { forgetRoutes, type RouteBook, routeBook } from './routing.ts';
export { applyStatuses, onCampaignTouched } from './status.ts';
export { threadIds, threadRows } from './thread_select.ts';
export { wakeDispatch } from './wake.ts';
