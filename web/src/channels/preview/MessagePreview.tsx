/** A message on a phone, drawn the way its channel displays it. */
import { channelRules } from '@parley/contract/channels/index.ts';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import type { Content } from '@parley/contract/messages/content.ts';
import { type ReactNode, useMemo } from 'react';
import { usePhone } from '../../ui/data/phone.ts';
import { PhonePreview, type PreviewStepper } from '../../ui/message/PhonePreview.tsx';
import { segmentBreaks } from '../sms/segments.ts';
import { bubbleBody } from './bubble_bodies.ts';
import { PreviewFile } from './PreviewFile.tsx';

interface MessagePreviewProps {
  channel: ChannelName;
  /** A number (shown in international format) or a name. */
  sender: string;
  /** The text with its values filled in. */
  text: string;
  /** Null for a text-only message. */
  content: Content | null;
  /** The file; taken from `content` by default. */
  media?: ReactNode;
  stepper?: PreviewStepper;
  empty?: string;
}

export function MessagePreview({ channel, sender, text, content, media, stepper, empty }: MessagePreviewProps) {
  const shown = usePhone(sender).text || sender;
  const { counts } = channelRules(channel);
  const breaks = useMemo(() => (counts === 'segments' ? segmentBreaks(text) : []), [counts, text]);
  const BubbleBody = bubbleBody(channel);
  const file = media ?? (content?.media_type ? <PreviewFile content={content} /> : null);
  const isEmpty = text === '' && !file && !content?.header && !content?.footer && !content?.buttons.length;
  const bubble =
    BubbleBody && !isEmpty
      ? { text, body: <BubbleBody text={text} content={content} file={file} /> }
      : { text, breaks };
  return (
    <PhonePreview
      channel={channel}
      sender={shown}
      empty={empty ?? 'Your message will appear here'}
      bubbles={[{ key: 'message', from: 'business', ...bubble }]}
      {...(stepper ? { stepper } : {})}
    />
  );
}
