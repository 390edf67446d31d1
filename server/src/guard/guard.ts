/**
 * The guard keeps traffic within the rules of its account: limits and blocked countries. Every message is checked where
 * it is accepted. A limit that blocks never lets more through than it allows: not with parallel senders, several
 * processes, or a crash. Blocked messages are never charged.
 */
export { backTestSigns } from './back_test/traffic.ts';
export { guardChecks } from './check.ts';
export { countLinks } from './content/link_counts.ts';
export { skeleton } from './content/lookalikes.ts';
export {
  byWeight,
  type CheckedText,
  type CompiledRule,
  compileRule,
  contentTexts,
  type Rule,
  type RuleMatch,
  TextMatcher,
} from './content/matcher.ts';
export { readRulesFor } from './content/rule_book.ts';
export type { Counted } from './demand.ts';
export { listCapped, loadFrequencyCap } from './frequency.ts';
export { cancelBlockedMessages } from './inheritance.ts';
export { type ActiveStop, stopFinder, stopProblem, trafficFrom } from './pumping/places.ts';
export {
  CODE_RULES,
  type Finding,
  findSignals,
  MIN_SENT,
  measureSigns,
  type PlaceFigures,
  USUAL_CONVERSION,
} from './pumping/signals.ts';
export {
  endStops,
  findStop,
  insertStop,
  liftStop,
  listStops,
  placeName,
  type StoredStop,
  toWire,
} from './pumping/stops.ts';
export { describeLimit, type Grant, limitRefusal, noteRefusal, type Request, reserve } from './reserve.ts';
export { blocksCountry, type Guard, type LimitRule, loadGuard, type Way } from './rules.ts';
