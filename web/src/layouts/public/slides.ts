/** The slides beside the public pages: each page has its own (specification, section 2). */
export interface Slide {
  title: string;
  text: string;
}

const CHANNELS: Slide = {
  title: 'One place for every conversation',
  text: 'SMS, WhatsApp, and Viber in one inbox, with the full history of every customer.',
};
const PREVIEW: Slide = {
  title: 'See it before you send it',
  text: 'Preview each recipient’s message, the price by country, and any problems.',
};
const LIVE: Slide = {
  title: 'Watch it arrive',
  text: 'Follow delivery in real time, message by message, with the carrier’s reason for each failure.',
};

const BY_PAGE: readonly (readonly [pages: readonly string[], slides: readonly Slide[]])[] = [
  [
    ['/sign-up', '/register', '/invitations', '/verification'],
    [
      {
        title: 'Start in minutes',
        text: 'Tell us about your company, then send your first message to your own phone.',
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
        text:
          'It takes the same route as your own messages: through the carrier to the phone, and back as a delivery ' +
          'receipt.',
      },
      LIVE,
    ],
  ],
  [
    ['/phone-verification'],
    [
      {
        title: 'Your number protects your account',
        text: 'We’ll text you a code. Test messages go to this number, too.',
      },
      LIVE,
    ],
  ],
  [
    ['/email-verification?purpose=password_reset'],
    [
      {
        title: 'Your way back in',
        text: 'The code and the link in the email work once. Your password cannot be changed without them.',
      },
      LIVE,
    ],
  ],
  [
    ['/email-verification'],
    [
      {
        title: 'Check your inbox',
        text: 'The link in the email opens the next step. It works once and expires soon.',
      },
      CHANNELS,
    ],
  ],
  [
    ['/forgot-password', '/reset-password'],
    [
      {
        title: 'Back in no time',
        text: 'Choose a password with at least 8 characters, one digit, and one uppercase letter.',
      },
      LIVE,
    ],
  ],
];

const SIGN_IN: readonly Slide[] = [CHANNELS, PREVIEW, LIVE];

/** The slides for a path. An entry may include one search parameter, for a step or purpose with its own slides. */
export function slidesFor(path: string, search: Readonly<Record<string, unknown>> = {}): readonly Slide[] {
  const matches = (page: string) => {
    const [root, parameter] = page.split('?') as [string, string?];
    const [name, value] = parameter?.split('=') ?? [];
    return (path === root || path.startsWith(`${root}/`)) && (!name || search[name] === value);
  };
  return BY_PAGE.find(([pages]) => pages.some(matches))?.[1] ?? SIGN_IN;
}
