/** The web app's additions to a channel's rules in the contract: its icon, texts, and buttons. */
import type { ChannelName } from '@parley/contract/channels/names.ts';
import type { Button, Content } from '@parley/contract/messages/content.ts';
import type { IconProps } from '@tabler/icons-react';
import type { ComponentType, ReactNode } from 'react';

type ButtonType = Button['type'];

export interface ChannelView {
  readonly name: ChannelName;
  readonly icon: ComponentType<IconProps>;
  readonly buttons: ButtonView;
  /** Applies the channel's formatting marks to a text. `plain` renders the text between the marks. */
  formatText(text: string, plain?: (text: string) => ReactNode): ReactNode;
}

/** The texts about a channel on the pages that offer channels. */
export interface ChannelOffer {
  readonly name: ChannelName;
  /** A one-line pitch for the channel's card on *Try it now*. */
  readonly pitch: string;
  /** The channel's card on *Add channel*: what the channel does, and what the customer needs for it. */
  readonly description: string;
  readonly requirements: string;
}

export interface ButtonView {
  /** The button types for a message without a template. All buttons of a message have the same type. */
  readonly reply: readonly ButtonType[];
  /** The button types for a template. */
  readonly template: readonly ButtonType[];
  readonly max_template: number;
  /** The hint below a template's buttons. */
  readonly template_hint: string | null;
  /** The label of a link button's URL field. */
  readonly link_label: string;
}

/** The content that a channel draws in a message bubble of the phone preview. */
export interface BubbleBodyProps {
  text: string;
  content: Content | null;
  file: ReactNode;
}

export interface ChannelBubble {
  readonly name: ChannelName;
  readonly BubbleBody: ComponentType<BubbleBodyProps>;
}
