import { Prose, type Section } from './Prose.tsx';

const SECTIONS: readonly Section[] = [
  {
    title: 'Navigation',
    text:
      'Press Ctrl K (Cmd K on a Mac) anywhere and type the page or action you want. Lists remember their columns. ' +
      'Filters and page are part of the address, so a link to a list shows your colleague the same rows.',
  },
  {
    title: 'Audiences',
    text:
      'Go to Contacts, Audiences, Create audience, and choose a CSV or XLSX file. Parley shows its rows and suggests ' +
      'the column with the phone number. Correct the columns if needed, then start the import. Rows that cannot be ' +
      'imported come back as a file with the reason for each row.',
  },
  {
    title: 'Campaigns',
    text:
      'Go to SMS, Create campaign: name, sender, audience, text, review. Variables such as {first_name} are filled ' +
      'for each recipient; {first_name:friend} sets a default for contacts without a name. The preview shows real ' +
      'recipients one by one. Before you send, you see how many people will get the message, who will not and why, ' +
      'and the price by country.',
  },
  {
    title: 'While a campaign is sending',
    text:
      'The campaign page updates as messages are delivered; you can close it. Pause stops the messages that have not ' +
      'been sent, and Resume continues with them. Each recipient gets a campaign at most once.',
  },
  {
    title: 'Inbox',
    text:
      'Replies appear as they arrive. J and K move between conversations, R starts a reply, Esc closes. A reply that ' +
      'could not be sent stays in its place, with the reason and a Retry button.',
  },
  {
    title: 'Message log',
    text:
      'Insights lists every message, outbound and inbound. Open a message for its timeline, the carrier’s reason for ' +
      'a failure, its segments, and its price.',
  },
  {
    title: 'Dashboard',
    text:
      'Messages sent, delivered, and received, and your spend in the last 7, 30, or 90 days, compared with the ' +
      'previous period. Days follow your company’s time zone. Below: running campaigns, unread conversations, and ' +
      'next steps, which you can dismiss.',
  },
  {
    title: 'Users and permissions',
    text:
      'Go to Settings, Users, Add user, and send an invitation or create the user directly. A role sets the initial ' +
      'permissions; the table below explains each of them, and the preview shows what the user will see. A change ' +
      'takes effect with the user’s next click. Blocking a user signs them out at once and deletes nothing. Deleting ' +
      'a user unassigns their conversations.',
  },
  {
    title: 'Subaccounts',
    text:
      'Separate companies within your account, each with its own users, contacts, and log. Switch to sub-account ' +
      'opens one as its owner, with a banner until you leave. Both audit logs record it.',
  },
  {
    title: 'Audit log',
    text:
      'Settings, Audit log lists sign-ins and changes to security, users, keys, and money: who, when, and from ' +
      'where. Filter it, or export the filtered rows as CSV.',
  },
  {
    title: 'Use cases and regulations',
    text:
      'Onboarding shows message examples for your industry and the best time to send them. It also explains the ' +
      'rules for senders, registrations, consent, sending hours, and opt-outs in the United States, Canada, the ' +
      'United Kingdom, Australia, and other countries.',
  },
  {
    title: 'Balance',
    text:
      'The price of a message is reserved when it is accepted, charged when the carrier takes it, and refunded when ' +
      'the carrier rejects it. The top bar shows your available balance.',
  },
  {
    title: 'API',
    text:
      'Everything the dashboard does is available in the public API. The documentation lists its endpoints; the ' +
      'OpenAPI document is at /v1/openapi.json.',
  },
];

export default function ManualPage() {
  return <Prose title="User manual" description="Everything from contacts to replies." sections={SECTIONS} />;
}
