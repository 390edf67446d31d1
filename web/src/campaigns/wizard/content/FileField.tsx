import type { ChannelName } from '@parley/contract/channels/names.ts';
import type { MediaType } from '@parley/contract/media/types.ts';
import type { AttachmentValue } from '../../../media/attachment.ts';
import { MediaPicker } from '../../../media/MediaPicker.tsx';
import { useUpload } from '../../../media/useUpload.ts';

interface Props {
  type: MediaType;
  channel: ChannelName;
  value: AttachmentValue;
  onChange: (value: AttachmentValue) => void;
  error?: string | null;
}

/** The message's file: an upload or a link. */
export function FileField({ type, channel, value, onChange, error }: Props) {
  const upload = useUpload({ type, channel, onReady: (media) => onChange({ ...value, source: 'file', media }) });
  return (
    <MediaPicker
      type={type}
      channel={channel}
      value={value}
      onChange={onChange}
      upload={upload}
      {...(error ? { error } : {})}
    />
  );
}
