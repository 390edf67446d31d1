import { Prose, type Section } from './Prose.tsx';

const SECTIONS: readonly Section[] = [
  {
    title: 'Navigation',
    text:
      'Press Ctrl K (Cmd K on a Mac) anywhere and type the page or action you want. Lists remember the columns you ' +
      'choose. The URL contains the filters and the page number, so a link to a list shows your colleague the same ' +
      'rows.',
  },
  {
    title: 'Audiences',
    text:
      'Go to Contacts, Audiences, Create audience, and choose a CSV or XLSX file. Parley shows its rows and ' +
      'suggests the column with the phone number. Correct the columns if needed, then start the import. You get a ' +
      'file of the rows that could not be imported, with the reason for each row.',
  },
  {
    title: 'Campaigns',
    text:
      'Go to SMS, Create campaign. Choose a name, a sender, and an audience, write the text, and review the ' +
      'campaign. Variables such as {first_name} are filled in for each recipient; {first_name:friend} sets a ' +
      'default for contacts without a name. The preview shows real recipients one by one. Before you send, you see ' +
      'how many people will get the message, who will not get it and why, and the price by country.',
  },
  {
    title: 'While a campaign is sending',
    text:
      'The campaign page updates as messages are delivered. You can close the page at any time. Pause stops the ' +
      'messages that have not been sent, and Resume continues with them. Each recipient gets a campaign at most ' +
      'once.',
  },
  {
    title: 'Inbox',
    text:
      'Replies appear as they arrive. J and K move between conversations, R starts a reply, and Esc closes the ' +
      'conversation. A reply that could not be sent stays in place, with the reason and a Retry button.',
  },
  {
    title: 'CRM',
    text:
      'Go to Settings, Integrations, and connect Pipedrive. Deals and people in Pipedrive then have a Parley ' +
      'panel that shows the conversation and sends messages, including templates. Messages and replies are ' +
      'logged as activities. Each user connects their own login. Contact sync and deals, on the same page, keeps an ' +
      'audience, consents, and opt-outs equal on both sides, and sends templates when deals enter a stage.',
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
      'The dashboard shows messages sent, delivered, and received, and your spend over the last 7, 30, or 90 days, ' +
      'compared with the previous period. Days follow your company’s time zone. Below, you see running campaigns, ' +
      'unread conversations, and next steps, which you can dismiss.',
  },
  {
    title: 'Users and permissions',
    text:
      'Go to Settings, Users, Add user, and send an invitation or create the user directly. A role sets the initial ' +
      'permissions; the table below explains each of them, and the preview shows what the user will see. A change ' +
      'takes effect with the user’s next click. Blocking a user signs them out immediately and deletes nothing. ' +
      'Deleting a user unassigns their conversations.',
  },
  {
    title: 'Sub-accounts',
    text:
      'Sub-accounts are separate companies within your account, each with its own users, contacts, and log. Select ' +
      'Switch to sub-account to work in a sub-account as its owner. A banner is shown until you leave. Both audit ' +
      'logs record the switch.',
  },
  {
    title: 'Audit log',
    text:
      'Go to Settings, Audit log for a list of sign-ins and changes to security, users, API keys, and billing: who ' +
      'made them, when, and from where. You can filter the list and export the filtered rows as CSV.',
  },
  {
    title: 'Use cases and regulations',
    text:
      'The Onboarding page shows sample messages for your industry and the best times to send them. It also ' +
      'explains the rules for senders, registrations, consent, sending hours, and opt-outs in the United States, ' +
      'Canada, the United Kingdom, Australia, and other countries.',
  },
  {
    title: 'Balance',
    text:
      'The price of a message is reserved when Parley accepts it, charged when the carrier accepts it, and refunded ' +
      'when the carrier rejects it. The top bar shows your available balance.',
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
