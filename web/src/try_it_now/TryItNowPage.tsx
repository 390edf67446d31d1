/** Which channel to try: those that are there, and those that are not yet. */
import { Button } from '@mantine/core';
import { createMessage } from '@parley/contract/messages/messages.ts';
import type { Needs } from '@parley/contract/permission.ts';
import {
  IconBrandInstagram,
  IconBrandMessenger,
  IconBrandTelegram,
  IconBrandViber,
  IconBrandWhatsapp,
  IconMessage2,
  IconMessageChatbot,
  IconPhoneCall,
  type IconProps,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { Allow } from '../kernel/session/allow.tsx';
import { ToneBadge } from '../ui/data/StatusBadge.tsx';
import { PageHeader } from '../ui/layout/PageHeader.tsx';
import styles from './TryItNow.module.css';

interface Card {
  name: string;
  text: string;
  icon: ComponentType<IconProps>;
  /** Where it is tried. */
  path?: string;
  needs?: Needs;
  /** There for those who ask. */
  contact?: boolean;
}

const CARDS: readonly Card[] = [
  {
    name: 'SMS',
    text: 'Reaches every phone there is.',
    icon: IconMessage2,
    path: '/try-it-now/sms',
    needs: createMessage.needs,
  },
  {
    name: 'WhatsApp',
    text: 'Templates, pictures and buttons; you see when it was read.',
    icon: IconBrandWhatsapp,
    path: '/try-it-now/whatsapp',
    needs: createMessage.needs,
  },
  {
    name: 'Viber',
    text: 'Rich messages from your verified name.',
    icon: IconBrandViber,
    path: '/try-it-now/viber',
    needs: createMessage.needs,
  },
  { name: 'RCS', text: 'Rich messages in the phone’s own message app.', icon: IconMessageChatbot, contact: true },
  { name: 'Voice', text: 'Flash calls and text read out.', icon: IconPhoneCall, contact: true },
  { name: 'Telegram', text: 'Codes and notices in Telegram.', icon: IconBrandTelegram, contact: true },
  { name: 'Instagram', text: 'Direct messages of your business profile.', icon: IconBrandInstagram },
  { name: 'Messenger', text: 'Conversations of your page.', icon: IconBrandMessenger },
];

export default function TryItNowPage() {
  return (
    <>
      <PageHeader
        title="Try it now"
        description="Send a message to your own phone, free of charge, and see what arrives."
      />
      <ul className={styles.cards}>
        {CARDS.map(({ name, text, icon: Icon, path, needs, contact = false }) => (
          <li key={name} className={styles.card} data-there={path !== undefined || undefined}>
            <Icon size={26} stroke={1.6} aria-hidden />
            <h2 className={styles.name}>{name}</h2>
            <p className={styles.text}>{text}</p>
            {path ? (
              <Allow needs={needs!}>
                <Button component={Link} to={path} aria-label={`Try it: ${name}`}>
                  Try it
                </Button>
              </Allow>
            ) : contact ? (
              <Button
                component="a"
                variant="default"
                href={`mailto:support@${window.location.hostname}?subject=${encodeURIComponent(`${name} for our account`)}`}
                aria-label={`Contact us about ${name}`}
              >
                Contact us
              </Button>
            ) : (
              <ToneBadge tone="off">Coming soon</ToneBadge>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}
