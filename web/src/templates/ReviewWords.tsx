/** What a reviewer said of a template, and what to do about it. */
import { ASKED, type Template } from '@parley/contract/templates/templates.ts';
import { Notice } from '../ui/feedback/Notice.tsx';

export function ReviewWords({ template }: { template: Template }) {
  const { status, paused, disabled, reason, channel, quality } = template;
  if (status === 'IN_PROCESS')
    return (
      <Notice tone="wait">
        {channel === 'WHATSAPP' ? 'WhatsApp is looking at it.' : 'We are looking at it.'} It cannot be sent or changed
        until it is decided; you are told by mail and here.
      </Notice>
    );
  if (!reason)
    return status === 'COMPLETED' && quality === 'RED' ? (
      <Notice tone="wait">
        <strong>Its quality is low.</strong> Many people report or block it. If that goes on WhatsApp will pause it:
        send it to fewer people, and only to those who expect it.
      </Notice>
    ) : null;
  const asked = reason.code === ASKED;
  return (
    <Notice tone={(paused && !disabled) || asked ? 'wait' : 'fail'}>
      <strong>
        {disabled
          ? 'It cannot be sent any more.'
          : paused
            ? 'It cannot be sent now.'
            : asked
              ? 'We have a question.'
              : 'It was rejected.'}
      </strong>{' '}
      {reason.text}
      <br />
      {reason.advice}
    </Notice>
  );
}
