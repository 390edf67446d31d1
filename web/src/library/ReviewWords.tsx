/** What a reviewer said of a template, and what to do about it. */
import type { Template } from '@parley/contract/templates.ts';
import { Notice } from '../ui/Notice.tsx';

export function ReviewWords({ template }: { template: Template }) {
  const { status, paused, reason, channel } = template;
  if (status === 'IN_PROCESS')
    return (
      <Notice tone="wait">
        {channel === 'WHATSAPP' ? 'WhatsApp is looking at it.' : 'We are looking at it.'} It cannot be sent or changed
        until it is decided; you are told by mail and here.
      </Notice>
    );
  if (!reason) return null;
  return (
    <Notice tone={paused ? 'wait' : 'fail'}>
      <strong>{paused ? 'It cannot be sent now.' : 'It was rejected.'}</strong> {reason.text}
      <br />
      {reason.advice}
    </Notice>
  );
}
