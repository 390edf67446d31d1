/**
 * The signs of SMS pumping in the codes or messages of one number range or country. Each has a minimum volume, because
 * small numbers vary by chance, and compares with the account's own traffic. The functions are pure. For messages,
 * detect.ts and settle.ts read the figures.
 */
import type { Evidence, PumpingSignal } from '@parley/contract/guard/pumping.ts';

/** Codes to one place in the last 24 full hours and in the preceding 14 days. */
interface ConversionFigures {
  readonly kind: 'range' | 'country';
  readonly day_sent: number;
  readonly day_verified: number;
  readonly before_sent: number;
  readonly before_verified: number;
}

/** Codes to one place. */
export interface PlaceFigures extends ConversionFigures {
  /** This hour, without codes that were unused when a user allowed the place again. */
  readonly sent: number;
  readonly unused: number;
  /** Unused codes in the busiest hour of the previous week. */
  readonly usual_unused: number;
  /** The busiest hour of the last 15 days. */
  readonly busiest: number;
  /** The account's codes to all places: in this hour, and in the last 15 days before it. Zero if they were not read. */
  readonly all_sent: number;
  readonly all_before: number;
  /** The longest run of consecutive numbers within an hour. Only for ranges. */
  readonly run: number;
}

/** The settings of the installation. */
export interface SurgeLimits {
  readonly least: number;
  readonly growth: number;
}

/** The limits of the signs for one kind of traffic. Codes and messages differ, because people enter codes. */
export interface SignalRules {
  /** Null: messages, which people do not enter. */
  readonly surge: SurgeLimits | null;
  /** The shortest run of consecutive numbers. */
  readonly min_run: number;
  /** True for campaigns, which are bursts by nature. */
  readonly in_bursts: boolean;
}

export const CODE_RULES = { min_run: 10, in_bursts: false } as const;
export const MESSAGE_RULES = {
  messages: { surge: null, min_run: 20, in_bursts: false },
  campaigns: { surge: null, min_run: 20, in_bursts: true },
} as const satisfies Record<string, SignalRules>;

export interface Finding {
  readonly signal: PumpingSignal;
  readonly evidence: Evidence;
}

/** A surge is not an attack if people enter at least this share of the codes. */
export const USUAL_CONVERSION = 0.25;
export const MIN_SENT = { range: 50, country: 200 } as const;
/** The minimum number of codes in the weeks before that allows a comparison. */
const MIN_BEFORE = 200;
/** The conversion has fallen if it is below this share of the usual one. */
const FALLEN = 1 / 3;
const CONCENTRATED = 0.7;
export const SPREAD = 0.2;
const TIMES = 5;

const share = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);

/** Returns the signs in the order of their weight. */
export function findSignals(place: PlaceFigures, rules: SignalRules): Finding[] {
  return [
    rules.surge && findUnused(place, rules.surge),
    findConversion(place),
    findRun(place, rules),
    findConcentration(place),
    findGrowth(place, rules),
  ].filter((finding) => finding !== null);
}

/** The figures of all signs, also of those that were not found, which explain a stop later. */
export function measureSigns(place: PlaceFigures): Finding[] {
  const { kind, sent, unused, usual_unused, busiest, all_sent, all_before, run } = place;
  const { day_sent, day_verified, before_sent, before_verified } = place;
  const figures: (Finding | false)[] = [
    usual_unused > 0 && { signal: 'unused', evidence: { observed: unused, usual: usual_unused, sample: sent } },
    day_sent > 0 &&
      before_sent > 0 && {
        signal: 'conversion',
        evidence: {
          ...{ observed: share(day_verified, day_sent), usual: share(before_verified, before_sent), sample: day_sent },
        },
      },
    run > 1 && { signal: 'consecutive', evidence: { observed: run, usual: null, sample: sent } },
    kind === 'range' &&
      all_sent > 0 && {
        signal: 'concentration',
        evidence: {
          ...{ observed: Math.min(1, share(sent, all_sent)), usual: share(before_sent, all_before), sample: all_sent },
        },
      },
    sent > 0 && { signal: 'growth', evidence: { observed: sent, usual: busiest, sample: sent } },
  ];
  return figures.filter((figure) => figure !== false);
}

function findUnused({ sent, unused, usual_unused }: PlaceFigures, { least, growth }: SurgeLimits): Finding | null {
  if (unused < least || unused < usual_unused * growth || unused < sent * (1 - USUAL_CONVERSION)) return null;
  return { signal: 'unused', evidence: { observed: unused, usual: usual_unused, sample: sent } };
}

/** Also for messages, whose conversion is that carriers deliver them, or that people respond. */
export function findConversion(place: ConversionFigures, least_usual: number = USUAL_CONVERSION): Finding | null {
  const { kind, day_sent, day_verified, before_sent, before_verified } = place;
  if (day_sent < MIN_SENT[kind] || before_sent < MIN_BEFORE) return null;
  const observed = share(day_verified, day_sent);
  const usual = share(before_verified, before_sent);
  if (usual < least_usual || observed >= usual * FALLEN) return null;
  return { signal: 'conversion', evidence: { observed, usual, sample: day_sent } };
}

function findRun({ kind, run, sent, unused }: PlaceFigures, { min_run }: SignalRules): Finding | null {
  // People who enter their codes have these numbers, such as the employees of one company.
  if (kind !== 'range' || run < min_run || unused < sent * (1 - USUAL_CONVERSION)) return null;
  return { signal: 'consecutive', evidence: { observed: run, usual: null, sample: sent } };
}

function findConcentration(place: PlaceFigures): Finding | null {
  const { kind, sent, all_sent, before_sent, all_before } = place;
  if (kind !== 'range' || sent < MIN_SENT.range || all_before < MIN_BEFORE) return null;
  const observed = share(sent, all_sent);
  const usual = share(before_sent, all_before);
  if (observed < CONCENTRATED || usual >= SPREAD) return null;
  return { signal: 'concentration', evidence: { observed: Math.min(1, observed), usual, sample: all_sent } };
}

/** A range of messages must also stand out, because a mailing reaches many ranges that are quiet otherwise. */
function findGrowth(place: PlaceFigures, { surge, in_bursts }: SignalRules): Finding | null {
  const { kind, sent, busiest, all_sent, all_before } = place;
  if (in_bursts || sent < MIN_SENT[kind] || all_before < MIN_BEFORE || sent < busiest * TIMES) return null;
  if (surge === null && kind === 'range' && share(sent, all_sent) < SPREAD) return null;
  return { signal: 'growth', evidence: { observed: sent, usual: busiest, sample: sent } };
}
