import { Prose, type Section } from './Prose.tsx';

const host = window.location.host;
const OPERATOR: Section = {
  title: 'Who operates this service',
  text:
    `Parley is open-source software that anyone can host. An independent operator runs this installation, ${host}, ` +
    'and is responsible for it. Contact the operator with any questions that this page does not answer.',
};

/**
 * These documents apply to every installation because they describe how the software works. Operators add their own.
 */
const DOCUMENTS = {
  'privacy-policy': {
    title: 'Privacy policy',
    description: 'What the software stores, where, and why.',
    sections: [
      OPERATOR,
      {
        title: 'What is stored',
        text:
          'Accounts and users with their email addresses and phone numbers; the location and browser of each ' +
          'sign-in; the contacts and audiences you import; messages sent and received, with their delivery and cost; ' +
          'and an audit log of user actions. Passwords and codes are stored as hashes only. Each user can download ' +
          'their own data in the security settings.',
      },
      {
        title: 'Where it is stored',
        text:
          'In the database and the file storage of this installation only. Messages are passed to the carriers that ' +
          'deliver them. The software sends no data to its developers and uses no trackers.',
      },
      {
        title: 'On your device',
        text:
          'The app stores your session token, your display settings, and form drafts in your browser. It sets ' +
          'cookies only while you sign in through a provider. They expire after ten minutes.',
      },
    ],
  },
  'terms-of-service': {
    title: 'Terms of service',
    description: 'The terms for everyone who uses the software.',
    sections: [
      OPERATOR,
      {
        title: 'You are responsible for what you send',
        text:
          'You decide whom you message and what you say. You need your recipients’ consent where the law requires ' +
          'it.',
      },
      {
        title: 'Prices',
        text:
          'The price of every message is shown before you send it. It is reserved when the message is accepted and ' +
          'refunded when the message is rejected.',
      },
      {
        title: 'License',
        text:
          'Parley is licensed under the Apache License 2.0 and comes without warranty. Any other commitments are ' +
          'between you and the operator.',
      },
    ],
  },
  'anti-spam-policy': {
    title: 'Anti-spam policy',
    description: 'How people opt out, and what happens then.',
    sections: [
      {
        title: 'STOP always works',
        text:
          'People who reply STOP are added to the sender’s stop list immediately and get one confirmation. No ' +
          'channel delivers to a number on the stop list until that person replies START.',
      },
      {
        title: 'Only with consent',
        text:
          'Message only people who have agreed to it, identify yourself, and include an opt-out in every marketing ' +
          'message.',
      },
      OPERATOR,
    ],
  },
} satisfies Record<string, { title: string; description: string; sections: readonly Section[] }>;

type LegalDocument = keyof typeof DOCUMENTS;

export const LegalPage = ({ name }: { name: LegalDocument }) => <Prose {...DOCUMENTS[name]} />;
