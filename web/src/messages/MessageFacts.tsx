import { Anchor } from '@mantine/core';
import type { MessageDetail } from '@parley/contract/messages/details.ts';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ChannelMark } from '../channels/ChannelMark.tsx';
import { isCountedInSegments } from '../channels/counter.ts';
import { volumeText } from '../channels/volume_text.ts';
import { openQuickReply } from '../kernel/quick_reply.ts';
import { useReason } from '../kernel/session/session.tsx';
import { campaignPath, contactPath, linkToAddress, templatePath } from '../paths.ts';
import { CopyId } from '../ui/data/CopyId.tsx';
import { DateTime } from '../ui/data/DateTime.tsx';
import { Money } from '../ui/data/Money.tsx';
import { PhoneNumber } from '../ui/data/PhoneNumber.tsx';
import { Fields } from '../ui/layout/SidePanel.tsx';
import { CHARGE_WORDS, DIRECTION_WORDS, PURPOSE_WORDS, SOURCE_WORDS } from './words.ts';

/** The details of a message other than its text and timeline. Details that do not apply are omitted. */
export function MessageFacts({ message }: { message: MessageDetail }) {
  const facts: { label: string; value: ReactNode; when?: boolean }[] = [
    { label: 'Direction', value: DIRECTION_WORDS[message.direction] },
    { label: 'Channel', value: <ChannelMark channel={message.channel} /> },
    { label: 'Purpose', value: PURPOSE_WORDS[message.content?.purpose ?? ''], when: Boolean(message.content?.purpose) },
    { label: 'Template', value: <TemplateLink message={message} />, when: Boolean(message.content?.template) },
    {
      label: 'From',
      value: <Address value={message.from} name={message.direction === 'MT' ? message.sender_name : null} />,
    },
    {
      label: 'To',
      value: <Address value={message.to} name={message.direction === 'MO' ? message.sender_name : null} />,
    },
    { label: 'Contact', value: <ContactLink message={message} />, when: message.contact !== null },
    {
      label: 'Country and network',
      value: [message.country, message.network ?? message.mccmnc].filter(Boolean).join(', ') || null,
    },
    {
      label: 'Price',
      value: (
        <>
          <Money micros={message.price_micros} currency={message.currency} exact />, {CHARGE_WORDS[message.charge]}
        </>
      ),
      when: message.price_micros !== null,
    },
    {
      label: 'Volume',
      value: message.volume && volumeText(message.volume, message.channel),
      when: message.volume !== null,
    },
    { label: 'Segments', value: message.segments_count, when: isCountedInSegments(message.channel) },
    { label: 'Sent by', value: <SentBy message={message} /> },
    { label: 'Campaign', value: <CampaignLink message={message} />, when: message.campaign_id !== null },
    { label: 'Conversation', value: <ConversationLink message={message} />, when: Boolean(message.conversation_id) },
    { label: 'Created', value: <DateTime value={message.create_date} /> },
    { label: 'Scheduled for', value: <DateTime value={message.schedule} />, when: message.schedule !== null },
    { label: 'Expires', value: <DateTime value={message.expire_date} />, when: message.expire_date !== null },
    { label: 'Connection', value: message.connection_name, when: message.connection_name !== null },
    { label: 'Attempts', value: message.attempts, when: message.direction === 'MT' },
    {
      label: 'Possible duplicate',
      value: 'Sent again, although the first attempt may have been delivered',
      when: message.possible_duplicate,
    },
    { label: 'Carrier IDs', value: message.external_ids.join(', '), when: message.external_ids.length > 0 },
    {
      label: 'Hold',
      value: message.hold_id && <CopyId value={message.hold_id} label="hold ID" short />,
      when: message.hold_id !== null,
    },
    { label: 'Payload', value: message.payload, when: message.payload !== null },
  ];
  return <Fields fields={facts.filter(({ when }) => when !== false)} />;
}

function Address({ value, name }: { value: string; name: string | null }) {
  return (
    <>
      <PhoneNumber value={value} />
      {name && name !== value && ` (${name})`}
    </>
  );
}

function SentBy({ message }: { message: MessageDetail }) {
  const author = message.user_name ?? message.smpp_system_id ?? (message.key_name ? `key “${message.key_name}”` : null);
  return <>{[SOURCE_WORDS[message.source], author].filter(Boolean).join(', ')}</>;
}

function TemplateLink({ message: { content, template_id } }: { message: MessageDetail }) {
  const name = content?.template?.name;
  return template_id === null ? (
    name
  ) : (
    <Anchor component={Link} {...linkToAddress(templatePath(template_id))} inherit>
      {name}
    </Anchor>
  );
}

function ContactLink({ message: { contact, direction, from, to } }: { message: MessageDetail }) {
  if (contact === null) return null;
  const number = direction === 'MT' ? to : from;
  return (
    <Anchor component={Link} {...linkToAddress(contactPath(contact.audience_id, contact.id, number))} inherit>
      <bdi>{contact.name || `+${number}`}</bdi>
    </Anchor>
  );
}

function CampaignLink({ message: { campaign_id, campaign_name, channel } }: { message: MessageDetail }) {
  if (campaign_id === null || campaign_name === null) return <>Deleted campaign</>;
  return (
    <Anchor component={Link} to={campaignPath({ channel, id: campaign_id })} inherit>
      {campaign_name}
    </Anchor>
  );
}

function ConversationLink({ message }: { message: MessageDetail }) {
  const canViewAll = useReason('CONVERSATIONS:view') === null;
  const id = message.conversation_id;
  return (
    <>
      <Anchor
        component={Link}
        to={canViewAll ? '/inbox/unassigned' : '/inbox/assigned-to-me'}
        search={{ conversation: id } as never}
        inherit
      >
        Open in inbox
      </Anchor>
      {' · '}
      <Anchor component="button" type="button" inherit onClick={() => id && openQuickReply({ id })}>
        Quick Reply
      </Anchor>
    </>
  );
}
