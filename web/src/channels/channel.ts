/** What the web app adds to the rules of a channel in the contract: its icon, texts, buttons and preview. */
import type { ChannelName } from '@parley/contract/channels/names.ts';
import type { Button, Content } from '@parley/contract/messages/content.ts';
import type { IconProps } from '@tabler/icons-react';
import type { ComponentType, ReactNode } from 'react';

type ButtonType = Button['type'];

export interface ChannelView {
  readonly name: ChannelName;
  readonly icon: ComponentType<IconProps>;
  /** One line on the channel's card of *Try it now*. */
  readonly pitch: string;
  /** The channel's card on *Add channel*: what it does, and what the customer needs for it. */
  readonly offer: { readonly description: string; readonly requirements: string };
  readonly buttons: ButtonView;
  /** Text with the formatting marks of the channel applied. */
  formatText(text: string): ReactNode;
  /** The inside of a message bubble on the phone preview; null where a bubble holds text only. */
  readonly BubbleBody: ComponentType<BubbleBodyProps> | null;
}

export interface ButtonView {
  /** Types of buttons of a message without a template; a message has buttons of one type. */
  readonly reply: readonly ButtonType[];
  /** Types of buttons of a template. */
  readonly template: readonly ButtonType[];
  readonly max_template: number;
  /** Below the buttons of a template. */
  readonly template_hint: string | null;
  /** Label of the field for the address of a link. */
  readonly link_label: string;
}

export interface BubbleBodyProps {
  text: string;
  content: Content | null;
  /** The file of the message. */
  file: ReactNode;
}
