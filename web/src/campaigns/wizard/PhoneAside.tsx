import { SegmentedControl } from '@mantine/core';
import { channelRules } from '@parley/contract/channels/index.ts';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import { render } from '@parley/contract/channels/sms/text.ts';
import { withSampleLinks } from '@parley/contract/links/inline.ts';
import { useMemo, useState } from 'react';
import { MessagePreview } from '../../channels/preview/MessagePreview.tsx';
import { useSegmentation } from '../../channels/sms/profile.ts';
import { segmentBreaks } from '../../channels/sms/segments.ts';
import { usePhone } from '../../ui/data/phone.ts';
import { PhonePreview } from '../../ui/message/PhonePreview.tsx';
import type { SampleState } from './choices.ts';
import { type Draft, freeText } from './draft.ts';

interface PhoneAsideProps extends SampleState {
  channel: ChannelName;
  /** The sender as the phone shows it. */
  sender: string;
  draft: Draft;
  index: number;
  onStep: (index: number) => void;
}

/** The message on the phone of one recipient, with buttons to step through the recipients. */
export function PhoneAside({ channel, sender, draft, sample, total, index, onStep }: PhoneAsideProps) {
  const { rich } = channelRules(channel);
  const [shown, setShown] = useState<'session' | 'template'>('session');
  const session_text = freeText(draft);
  const text = rich ? (sample?.text ?? draft.text) : draft.text;
  const read = sample && !rich ? render(withSampleLinks(text, sample.link_prefix), sample.variables) : text;
  const from = usePhone(sender).text;
  const to = usePhone(sample?.number ?? '').text;
  const profile = useSegmentation(sample?.number, channelRules(channel).counts === 'segments');
  const breaks = useMemo(() => segmentBreaks(read, profile), [read, profile]);
  const stepper = sample ? { stepper: { index, total, onStep, label: recipientLabel(sample, to) } } : {};
  if (rich && session_text !== null) {
    const values = sample ? render(withSampleLinks(session_text, sample.link_prefix), sample.variables) : session_text;
    const isText = shown === 'session' || draft.template_id === null;
    return (
      <>
        {draft.template_id !== null && (
          <SegmentedControl
            aria-label="Message in the preview"
            size="xs"
            fullWidth
            mb="sm"
            value={shown}
            data={[
              { value: 'session', label: 'Free text' },
              { value: 'template', label: 'Template' },
            ]}
            onChange={(value) => setShown(value as typeof shown)}
          />
        )}
        <MessagePreview
          channel={channel}
          sender={sender}
          text={isText ? values : read}
          content={isText ? null : (sample?.content ?? null)}
          {...stepper}
        />
      </>
    );
  }
  if (rich)
    return (
      <MessagePreview channel={channel} sender={sender} text={read} content={sample?.content ?? null} {...stepper} />
    );
  return (
    <PhonePreview
      channel={channel}
      sender={from}
      empty="Your message will appear here"
      bubbles={[{ key: 'message', from: 'business', text: read, breaks }]}
      {...stepper}
    />
  );
}

function recipientLabel({ variables }: NonNullable<SampleState['sample']>, number: string): string {
  const name = [variables.first_name, variables.last_name].filter(Boolean).join(' ');
  return name ? `${name}, ${number}` : number;
}
