/** Writes a location, a contact, or a list. A default export, because it loads when it opens. */
import { Button, Modal } from '@mantine/core';
import { channelRules } from '@parley/contract/channels/index.ts';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import type { CardType } from '@parley/contract/messages/cards.ts';
import { readMessage } from '@parley/contract/messages/rules.ts';
import { textLength } from '@parley/contract/text_length.ts';
import { useState } from 'react';
import { useReturnToOpener } from '../../ui/feedback/opener.ts';
import dialogs from '../compose/Dialogs.module.css';
import type { ReplyBody } from '../compose/reply_body.ts';
import { useFieldErrors } from '../field_errors.ts';
import { ContactFields, ListFields, PlaceFields } from './CardFields.tsx';
import styles from './Cards.module.css';
import { EMPTY_CARDS, toBody } from './card_draft.ts';

const TITLES = { location: 'Send a location', contacts: 'Send a contact', list: 'Send a list of choices' } as const;
const FIELDS = { location: PlaceFields, contacts: ContactFields, list: ListFields } as const;

interface DialogProps {
  type: CardType;
  channel: ChannelName;
  initial: string;
  onSend: (body: ReplyBody) => void;
  onClose: () => void;
}

export default function CardDialog({ type, channel, initial, onSend, onClose }: DialogProps) {
  useReturnToOpener();
  const { max_text } = channelRules(channel);
  const [draft, setDraft] = useState({ ...EMPTY_CARDS, text: initial });
  const { body, problems } = toBody(type, draft);
  // The API applies the same rules, so it will accept the message after the dialog has closed.
  const findings = problems.length > 0 ? problems : readMessage(channel, body).findings;
  const tooLong = textLength(draft.text) > max_text ? `Message can have at most ${max_text} characters` : null;
  const form = useFieldErrors<HTMLFormElement>(tooLong ? [{ field: 'text', message: tooLong }, ...findings] : findings);
  const Fields = FIELDS[type];
  return (
    <Modal opened onClose={onClose} title={TITLES[type]} size={480}>
      <form
        ref={form.ref}
        className={styles.form}
        noValidate
        onBlur={form.onBlur}
        onSubmit={(event) => {
          event.preventDefault();
          event.stopPropagation();
          if (!form.validate()) return;
          onSend(body);
          onClose();
        }}
      >
        <Fields
          draft={draft}
          onChange={(part) => setDraft((old) => ({ ...old, ...part }))}
          fieldError={form.fieldError}
        />
        <div className={dialogs.feet}>
          <Button type="submit">Send</Button>
        </div>
      </form>
    </Modal>
  );
}
