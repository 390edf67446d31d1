/** The button that sends a location, a contact, or a list, on channels that have them. */
import { ActionIcon } from '@mantine/core';
import { channelRules } from '@parley/contract/channels/index.ts';
import type { CardType } from '@parley/contract/messages/cards.ts';
import { IconAddressBook, IconList, IconMapPin } from '@tabler/icons-react';
import { Suspense, useState } from 'react';
import { lazyPart } from '../../ui/feedback/lazy_part.ts';
import { Tooltip } from '../../ui/feedback/Tooltip.tsx';
import { ActionItem, ActionMenu } from '../../ui/layout/ActionMenu.tsx';
import type { ReplyBody } from '../compose/reply_body.ts';
import type { Addressee } from '../compose/TemplateDialog.tsx';

const CardDialog = lazyPart(() => import('./CardDialog.tsx'));

const CARDS = {
  location: { label: 'Location', icon: IconMapPin },
  contacts: { label: 'Contact', icon: IconAddressBook },
  list: { label: 'List of choices', icon: IconList },
} as const;

interface CardToolProps {
  conversation: Addressee;
  /** Why nothing can be sent; null when it is possible. */
  reason: string | null;
  /** The text in the reply field, which becomes the text of a list. */
  text: string;
  onSend: (body: ReplyBody) => void;
  /** Called after a list was sent with the text. */
  onTextSent: () => void;
}

export function CardTool({ conversation, reason, text, onSend, onTextSent }: CardToolProps) {
  const [type, setType] = useState<CardType | null>(null);
  const { cards } = channelRules(conversation.channel);
  if (cards.length === 0) return null;
  return (
    <>
      <ActionMenu
        target={(target) => (
          <Tooltip label={reason ?? 'Location, contact, or list'}>
            <ActionIcon
              {...target}
              variant="subtle"
              aria-label="Location, contact, or list"
              aria-disabled={reason !== null || undefined}
              data-disabled={reason !== null || undefined}
              onClick={() => reason === null && target.onClick()}
            >
              <IconMapPin size={18} stroke={1.7} aria-hidden />
            </ActionIcon>
          </Tooltip>
        )}
      >
        {cards.map((card) => {
          const { label, icon: Icon } = CARDS[card];
          return (
            <ActionItem key={card} icon={<Icon size={16} aria-hidden />} onClick={() => setType(card)}>
              {label}
            </ActionItem>
          );
        })}
      </ActionMenu>
      {type && (
        <Suspense>
          <CardDialog
            type={type}
            channel={conversation.channel}
            initial={text}
            onSend={(body) => {
              onSend(body);
              if (type === 'list') onTextSent();
            }}
            onClose={() => setType(null)}
          />
        </Suspense>
      )}
    </>
  );
}
