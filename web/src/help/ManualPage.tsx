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
    title: 'Money',
    text: 'Accepting a message holds its price; delivery to the carrier takes it, a refusal gives it back. The chip in the top bar says what you can spend.',
  },
  {
    title: 'From your own programs',
    text: 'Everything the dashboard does is one public API. Its description is at /v1/openapi.json.',
  },
];

export default function ManualPage() {
  return <Prose title="User manual" line="The whole job, from contacts to replies." sections={SECTIONS} />;
}
