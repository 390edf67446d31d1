/**
 * Plans the steps of a message from a business when the message is accepted or, if it has a linked file, once the file
 * has been fetched.
 */
import type { Step } from '../world/chat.ts';
import type { PhoneState } from '../world/phones.ts';
import type { Profile } from '../world/profile.ts';
import type { WhatsappExtra } from './envelope.ts';
import { errorTitle } from './graph/graph_error.ts';
import type { WhatsappRule } from './magic.ts';
import type { WhatsappSettings } from './settings.ts';

export interface Circumstances {
  settings: WhatsappSettings;
  state: PhoneState;
  profile: Readonly<Profile>;
  rule: WhatsappRule | undefined;
  extra: WhatsappExtra;
  has_file: boolean;
}

const lateMs = 10_000;

export const failedStep = (code: number, due: number, details = errorTitle(code)): Step => ({
  status: 'failed',
  due,
  error: { code, title: details },
});

export function planSteps(now: number, circumstances: Circumstances): Step[] {
  const { settings, state, rule } = circumstances;
  const code = failureCode(circumstances);
  if (code) return [failedStep(code, now + settings.sent_delay_ms + settings.delivered_delay_ms)];
  const sentAt = rule?.statuses === 'before_response' ? now : now + settings.sent_delay_ms;
  const sent: Step = { status: 'sent', due: sentAt };
  if (state !== 'on' || rule?.statuses === 'sent_only') return applyMagic([sent], rule);
  return applyMagic([sent, ...arrivalSteps(sentAt, circumstances)], rule);
}

/** Returns the delivered step, and the read step if the person reads messages immediately. */
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

function failureCode({ settings, state, profile, rule, extra, has_file }: Circumstances): number | undefined {
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

function applyMagic(steps: Step[], rule: WhatsappRule | undefined): Step[] {
  switch (rule?.statuses) {
    case 'none':
      return steps.map((step) => ({ ...step, told: false }));
    case 'late':
      return steps.map((step) => (step.status === 'sent' ? step : { ...step, due: step.due + lateMs }));
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
