import { Prose, type Section } from './Prose.tsx';

const SECTIONS: readonly Section[] = [
  {
    title: 'Find your way',
    text: 'Press Ctrl K (Cmd K on a Mac) anywhere and type where you want to go or what you want to do. Lists remember their columns; their filters and page are in the address, so a link to a list shows the same to a colleague.',
  },
  {
    title: 'Audiences',
    text: 'Contacts, Audiences, Create audience: choose a CSV or XLSX file. Parley shows what it found and which column it takes for the number; correct it where needed and start. A file is taken as a whole or not at all, and you get the refused rows back with their reason.',
  },
  {
    title: 'Campaigns',
    text: 'SMS, Create campaign: name, sender, audience, text, then a last look. Variables such as {first_name} are filled for each person; {first_name:friend} gives a word for those without a name. The phone beside the text shows real recipients one by one. Before you send you see how many people will get it, who will not and why, and the price by country.',
  },
  {
    title: 'While it is sent',
    text: 'The page of a campaign moves as messages are delivered, and you can close it. Pause stops after the messages that are on their way; Resume goes on with the others; nobody gets a campaign twice.',
  },
  {
    title: 'Inbox',
    text: 'Replies arrive as they are written. J and K move between conversations, R begins a reply, Esc leaves. A reply that could not be sent stays in its place with its reason and a Retry.',
  },
  {
    title: 'Message log',
    text: 'Insights holds every message in and out. Open one to see each step of its way, the reason of a failure in the carrier’s own words, its segments and its price.',
  },
  {
    title: 'Dashboard',
    text: 'What was sent, delivered, received and spent in the last 7, 30 or 90 days, against the same time before; days are those of your company’s time zone. Below: what runs, who waits, and next steps, each of which can be put aside.',
  },
  {
    title: 'Users and permissions',
    text: 'Settings, Users, Add user: send an invitation or create the user now. A role is a starting point; the table below it says in words what each tick allows, and beside it stands what the person will see. A change counts from their next click on. Blocking signs somebody out within a second and loses nothing; deleting frees their conversations.',
  },
  {
    title: 'Subaccounts',
    text: 'Separate accounts for clients, brands or branches, each with its own users, contacts and log. “Switch to sub-account” opens one as its owner, and a banner is shown until you leave. Both audit logs record it.',
  },
  {
    title: 'Audit log',
    text: 'Settings, Audit log: sign-ins and whatever touches security, users, keys or money, with who, when and from where. Filter it, or export what the filters show as CSV.',
  },
  {
    title: 'Use cases and regulations',
    text: 'Onboarding shows texts for your industry with the best time for them, and what senders, registrations, consent, hours and opt-out words are asked for in the United States, Canada, the United Kingdom, Australia and elsewhere.',
  },
  {
    title: 'Money',
    text: 'Accepting a message holds its price; delivery to the carrier takes it, a refusal gives it back. The chip in the top bar says what you can spend.',
  },
  {
    title: 'From your own programs',
    text: 'Everything the dashboard does is one public API. The documentation lists its endpoints; programs read /v1/openapi.json.',
  },
];

export default function ManualPage() {
  return <Prose title="User manual" line="The whole job, from contacts to replies." sections={SECTIONS} />;
}
