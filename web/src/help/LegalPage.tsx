import { Prose, type Section } from './Prose.tsx';

const host = window.location.host;
const OPERATOR: Section = {
  title: 'Who runs this',
  text: `Parley is open software that anybody can run. This installation, ${host}, is run by an operator of its own, who decides about it and answers for it. Ask them for anything that is not said here.`,
};

/** What holds for every installation, because it follows from how the software works. Operators put their own documents in front of it. */
const DOCUMENTS = {
  'privacy-policy': {
    title: 'Privacy policy',
    line: 'What the software keeps, where, and why.',
    sections: [
      OPERATOR,
      {
        title: 'What is kept',
        text: 'Accounts and users with their e-mail address and phone number, from where and with which browser they are signed in, contacts and audiences that you bring, the messages that are sent and received with their delivery, what they cost, and a record of who did what. Passwords and codes are kept only as a hash. Everybody can download what is kept about them, in the security settings.',
      },
      {
        title: 'Where it is kept',
        text: 'In the database and the file storage of this installation, nowhere else. Messages go to the carriers that deliver them. The software sends nothing to its makers and uses no trackers.',
      },
      {
        title: 'On your device',
        text: 'The app keeps the token of your session, your display settings and drafts of forms in the storage of your browser. It sets cookies only while you sign in through a provider, for ten minutes.',
      },
    ],
  },
  'terms-of-service': {
    title: 'Terms of service',
    line: 'What the software asks of those who use it.',
    sections: [
      OPERATOR,
      {
        title: 'What you send is yours',
        text: 'You decide whom you write to and what you say, and you need the consent of the people you write to where the law asks for it.',
      },
      {
        title: 'What it costs',
        text: 'The price of every message is shown before it is sent. Money is set aside when a message is accepted and given back when it is refused.',
      },
      {
        title: 'The software',
        text: 'Parley is licensed under the Apache License 2.0 and comes without warranty. What the operator promises beyond that is between you and them.',
      },
    ],
  },
  'anti-spam-policy': {
    title: 'Anti-spam policy',
    line: 'How people stop messages, and what happens then.',
    sections: [
      {
        title: 'STOP works always',
        text: 'Who answers STOP goes on the stop list of the sender at once and gets one confirmation. Nothing reaches a number on the stop list by any way, until the person writes START.',
      },
      {
        title: 'Only with consent',
        text: 'Write only to people who agreed to it, say who you are, and leave a way out in every marketing message.',
      },
      OPERATOR,
    ],
  },
} satisfies Record<string, { title: string; line: string; sections: readonly Section[] }>;

export type LegalDocument = keyof typeof DOCUMENTS;

export const LegalPage = ({ name }: { name: LegalDocument }) => <Prose {...DOCUMENTS[name]} />;
