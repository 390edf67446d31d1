/** The channels that the user can try, and those that are planned. */
import { Button } from '@mantine/core';
import { ALL_CHANNELS } from '@parley/contract/channels/index.ts';
import { createMessage } from '@parley/contract/messages/messages.ts';
import {
  IconBrandInstagram,
  IconBrandMessenger,
  IconBrandTelegram,
  IconMessageChatbot,
  IconPhoneCall,
  type IconProps,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { channelView } from '../channels/index.ts';
import { channelOffer } from '../channels/offers.ts';
import { Allow } from '../kernel/session/allow.tsx';
import { tryItNowPath } from '../paths.ts';
import { ToneBadge } from '../ui/data/StatusBadge.tsx';
import { PageHeader } from '../ui/layout/PageHeader.tsx';
import styles from './TryItNow.module.css';

interface Card {
  name: string;
  text: string;
  icon: ComponentType<IconProps>;
  /** The path of the test page; only available channels have one. */
  path?: string;
  /** True if the channel is set up on request. */
  contact?: boolean;
}

const AVAILABLE: readonly Card[] = ALL_CHANNELS.map(({ name, label }) => {
  const { icon } = channelView(name);
  return { name: label, text: channelOffer(name).pitch, icon, path: tryItNowPath(name) };
});
const PLANNED: readonly Card[] = [
  { name: 'RCS', text: 'Rich messages in the phone’s own messaging app.', icon: IconMessageChatbot, contact: true },
  { name: 'Voice', text: 'Flash calls and text to speech.', icon: IconPhoneCall, contact: true },
  {
    name: 'Telegram',
    text: 'Verification codes and notifications in Telegram.',
    icon: IconBrandTelegram,
    contact: true,
  },
  { name: 'Instagram', text: 'Direct messages to your business profile.', icon: IconBrandInstagram },
  { name: 'Messenger', text: 'Conversations with your page.', icon: IconBrandMessenger },
];

export default function TryItNowPage() {
  return (
    <>
      <PageHeader title="Try it now" description="Send a free message to your own phone and see what arrives." />
      <ul className={styles.cards}>
        {[...AVAILABLE, ...PLANNED].map((card) => (
          <li key={card.name} className={styles.card} data-available={card.path !== undefined || undefined}>
            <card.icon size={26} stroke={1.6} aria-hidden />
            <h2 className={styles.name}>{card.name}</h2>
            <p className={styles.text}>{card.text}</p>
            <CardAction card={card} />
          </li>
        ))}
      </ul>
    </>
  );
}

function CardAction({ card: { name, path, contact = false } }: { card: Card }) {
  if (path)
    return (
      <Allow needs={createMessage.needs}>
        <Button component={Link} to={path} aria-label={`Try it: ${name}`}>
          Try it
        </Button>
      </Allow>
    );
  if (!contact) return <ToneBadge tone="off">Coming soon</ToneBadge>;
  return (
    <Button
      component="a"
      variant="default"
      href={`mailto:support@${window.location.hostname}?subject=${encodeURIComponent(`${name} for our account`)}`}
      aria-label={`Contact us about ${name}`}
    >
      Contact us
    </Button>
  );
}
