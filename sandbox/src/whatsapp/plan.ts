// What becomes of a message a business sent: its steps, decided when it is accepted or, for a file given by link, once that was fetched.
import type { Step } from '../chat.ts';
import type { PhoneState } from '../phones.ts';
import type { Profile } from '../profile.ts';
import type { Extra } from './envelope.ts';
import { titleOf } from './graph_error.ts';
import type { WhatsappRule } from './magic.ts';
import type { WhatsappSettings } from './settings.ts';

export interface Circumstances {
  settings: WhatsappSettings;
  state: PhoneState;
  profile: Readonly<Profile>;
  rule: WhatsappRule | undefined;
  extra: Extra;
  has_file: boolean;
}

const lateBy = 10_000;

export const failure = (code: number, due: number, details = titleOf(code)): Step => ({
  status: 'failed',
  due,
  error: { code, title: details },
});

export function planSteps(now: number, circumstances: Circumstances): Step[] {
  const { settings, state, rule } = circumstances;
  const code = failsWith(circumstances);
  if (code) return [failure(code, now + settings.sent_delay_ms + settings.delivered_delay_ms)];
  const sentAt = rule?.statuses === 'before_answer' ? now : now + settings.sent_delay_ms;
  const sent: Step = { status: 'sent', due: sentAt };
  if (state !== 'on' || rule?.statuses === 'sent_only') return shape([sent], rule);
  return shape([sent, ...arrivalSteps(sentAt, circumstances)], rule);
}

/** Delivered, and read where the person reads at once. */
export function arrivalSteps(
  now: number,
  { settings, profile, rule }: Omit<Circumstances, 'extra' | 'state' | 'has_file'>,
): Step[] {
  const at_once = rule?.statuses === 'read_at_once';
  const deliveredAt = now + (at_once ? 0 : settings.delivered_delay_ms);
  const steps: Step[] = [{ status: 'delivered', due: deliveredAt }];
  const reads = at_once || profile.reads === 'at_once' || rule?.statuses === 'twice' || rule?.statuses === 'reversed';
  if (reads) steps.push({ status: 'read', due: deliveredAt + (at_once ? 0 : settings.read_delay_ms) });
  return steps;
}

function failsWith({ settings, state, profile, rule, extra, has_file }: Circumstances): number | undefined {
  if (settings.fail_webhook_code) return settings.fail_webhook_code;
  if (!profile.whatsapp || state === 'reject') return 131026;
  if (profile.marketing_stopped && extra.category === 'marketing') return 131050;
  if (rule?.fail) {
    const { only } = rule;
    if (!only || (only === 'marketing' && extra.category === 'marketing') || (only === 'media' && has_file))
      return rule.fail;
  }
  const free = (extra.category ?? 'service') === 'service';
  return free && !extra.in_window ? 131047 : undefined;
}

function shape(steps: Step[], rule: WhatsappRule | undefined): Step[] {
  switch (rule?.statuses) {
    case 'none':
      return steps.map((step) => ({ ...step, told: false }));
    case 'late':
      return steps.map((step) => (step.status === 'sent' ? step : { ...step, due: step.due + lateBy }));
    case 'twice':
      return steps.flatMap((step) => [step, { ...step }]);
    case 'reversed': {
      const moments = steps.map(({ due }) => due);
      return steps.map((step, at) => ({ ...step, due: moments[steps.length - 1 - at]! })).reverse();
    }
    default:
      return steps;
  }
}
