/** The words beside the public pages: each page has its own (specification, section 2). */
export interface Slide {
  title: string;
  text: string;
}

const CHANNELS: Slide = {
  title: 'One place for every conversation',
  text: 'SMS, WhatsApp and Viber in one inbox, with everything a customer wrote and got.',
};
const PREVIEW: Slide = {
  title: 'See it before you send it',
  text: 'Every recipient’s message on a phone, the price by country, and what would stop it.',
};
const LIVE: Slide = {
  title: 'Watch it arrive',
  text: 'Delivery as it happens, message by message, with the carrier’s own words when something fails.',
};

const BY_PAGE: readonly (readonly [pages: readonly string[], slides: readonly Slide[]])[] = [
  [
    ['/sign-up', '/register', '/invitations', '/verification'],
    [
      {
        title: 'Start in minutes',
        text: 'Tell us about your company once, then send the first message to your own phone.',
      },
      PREVIEW,
      CHANNELS,
    ],
  ],
  [
    ['/phone-verification?step=code'],
    [
      {
        title: 'A text message is on its way',
        text: 'It travels the same road as everything you will send: carrier, phone, and a report back to us.',
      },
      LIVE,
    ],
  ],
  [
    ['/phone-verification'],
    [
      {
        title: 'Your number keeps your account yours',
        text: 'We send a code to it, and test messages go there while you try things out.',
      },
      LIVE,
    ],
  ],
  [
    ['/email-verification?purpose=password_reset'],
    [
      {
        title: 'Your way back in',
        text: 'The code and the link in the mail work once. Nobody can change your password without one of them.',
      },
      LIVE,
    ],
  ],
  [
    ['/email-verification'],
    [
      {
        title: 'Check your mailbox',
        text: 'The link in the message opens the next step. It works once and only for a short time.',
      },
      CHANNELS,
    ],
  ],
  [
    ['/forgot-password', '/reset-password'],
    [
      {
        title: 'Back in a moment',
        text: 'Choose a password of at least 8 characters with one digit and one uppercase letter.',
      },
      LIVE,
    ],
  ],
];

const SIGN_IN: readonly Slide[] = [CHANNELS, PREVIEW, LIVE];

/** A page may name one parameter of its address: the step or the purpose that has slides of its own. */
export function slidesFor(path: string, search: Readonly<Record<string, unknown>> = {}): readonly Slide[] {
  const shown = (page: string) => {
    const [root, parameter] = page.split('?') as [string, string?];
    const [name, value] = parameter?.split('=') ?? [];
    return (path === root || path.startsWith(`${root}/`)) && (!name || search[name] === value);
  };
  return BY_PAGE.find(([pages]) => pages.some(shown))?.[1] ?? SIGN_IN;
}
