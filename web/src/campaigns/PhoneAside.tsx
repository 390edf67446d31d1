import { render, segment } from '@parley/contract/channels/sms.ts';
import type { ChannelName } from '@parley/contract/common.ts';
import { useMemo } from 'react';
import { breaksOf } from '../channels/sms/reading.ts';
import { PhonePreview } from '../ui/PhonePreview.tsx';
import { shapeOf } from '../ui/phone.ts';
import type { SampleState } from './choices.ts';

interface PhoneAsideProps extends SampleState {
  channel: ChannelName;
  /** As the phone shows it. */
  sender: string;
  text: string;
  index: number;
  onStep: (index: number) => void;
}

/** The message on the phone of one person after the other. */
export function PhoneAside({ channel, sender, text, sample, total, index, onStep }: PhoneAsideProps) {
  const read = sample ? render(text, sample.variables) : text;
  const breaks = useMemo(() => breaksOf(segment(read)), [read]);
  return (
    <PhonePreview
      channel={channel}
      sender={shapeOf(sender).text}
      empty="Your message will appear here"
      bubbles={[{ key: 'message', from: 'business', text: read, breaks }]}
      {...(sample ? { stepper: { index, total, onStep, label: nameOf(sample) } } : {})}
    />
  );
}

function nameOf({ number, variables }: NonNullable<SampleState['sample']>): string {
  const name = [variables.first_name, variables.last_name].filter(Boolean).join(' ');
  const phone = shapeOf(number).text;
  return name ? `${name}, ${phone}` : phone;
}
