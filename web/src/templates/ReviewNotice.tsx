/** The state of a template's review: the reason for the decision, and how to fix the template. */
import { channelRules } from '@parley/contract/channels/index.ts';
import { ASKED, type Template } from '@parley/contract/templates/templates.ts';
import { Notice } from '../ui/feedback/Notice.tsx';

export function ReviewNotice({ template }: { template: Template }) {
  const { status, paused, disabled, reason, channel, quality } = template;
  const { label, templates } = channelRules(channel);
  if (status === 'IN_PROCESS')
    return (
      <Notice tone="wait">
        {templates.review === 'carrier' ? `${label} is reviewing this template.` : 'We are reviewing this template.'} It
        cannot be sent or changed until the review ends. We will email you the result and show it here.
      </Notice>
    );
  if (!reason)
    return status === 'COMPLETED' && quality === 'RED' ? (
      <Notice tone="wait">
        <strong>Low quality.</strong> Many recipients are reporting or blocking this template. If this continues,{' '}
        {label} will pause it. Send it to fewer recipients, and only to those who expect it.
      </Notice>
    ) : null;
  const isQuestion = reason.code === ASKED;
  const title = disabled
    ? 'It can no longer be sent.'
    : paused
      ? 'It cannot be sent now.'
      : isQuestion
        ? 'We need more information.'
        : 'It was rejected.';
  return (
    <Notice tone={(paused && !disabled) || isQuestion ? 'wait' : 'fail'}>
      <strong>{title}</strong> {reason.text}
      <br />
      {reason.advice}
    </Notice>
  );
}
