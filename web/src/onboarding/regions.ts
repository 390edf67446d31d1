/** What works and what is asked for, by where the recipients are. Facts as of 2026, in our words; no legal advice. */
export interface SenderRule {
  type: string;
  /** Can it be used there at all, and for answers. */
  works: 'both_ways' | 'one_way' | 'no';
  text: string;
}
export interface Law {
  name: string;
  text: string;
}
export interface Region {
  key: 'us' | 'ca' | 'gb' | 'au' | 'other';
  label: string;
  senders: readonly SenderRule[];
  laws: readonly Law[];
  consent: string;
  hours: string;
  opt_out: string;
  /** Further things that surprise people. */
  notes: readonly string[];
}

export const REGIONS: readonly Region[] = [
  {
    key: 'us',
    label: 'United States',
    senders: [
      {
        type: 'Local number (10DLC)',
        works: 'both_ways',
        text: 'Company (brand) and purpose (campaign) must be registered with The Campaign Registry. Carriers block traffic of programs from unregistered ten-digit numbers. A few days to two weeks.',
      },
      {
        type: 'Toll-free number',
        works: 'both_ways',
        text: 'Must be verified before it may send; until then its messages are blocked. One number for the United States and Canada.',
      },
      {
        type: 'Short code',
        works: 'both_ways',
        text: 'Five or six digits, leased, its program approved by each carrier. Six to twelve weeks, the highest speed.',
      },
      { type: 'Sender name', works: 'no', text: 'Names instead of numbers are not supported by the carriers.' },
    ],
    laws: [
      {
        name: 'TCPA',
        text: 'Consent before automated texts; for marketing in writing (a ticked box or a text counts). Damages of $500 to $1,500 for each message.',
      },
      {
        name: 'CTIA and carrier rules',
        text: 'Sex, hate, alcohol, firearms and tobacco are closed or need an age gate; cannabis is closed. Public link shorteners are filtered: use your own.',
      },
      { name: 'HIPAA', text: 'Health information needs agreements and care; keep it out of texts.' },
    ],
    consent:
      'The person agrees to texts from you by name, knows roughly how many and that rates may apply, and that buying does not depend on it. Keep the words, the time and the number.',
    hours:
      'Marketing only from 8:00 to 21:00 where the person is. Some states are stricter: Florida, Oklahoma and Washington end at 20:00.',
    opt_out:
      'STOP, QUIT, END, REVOKE, OPT OUT, CANCEL and UNSUBSCRIBE must work, as must any other clear words; at the latest after 10 business days. HELP must answer.',
    notes: [
      'Say who you are in the first message and once a month.',
      'WhatsApp marketing templates are not delivered to numbers of the United States since April 2025; utility and authentication templates are.',
    ],
  },
  {
    key: 'ca',
    label: 'Canada',
    senders: [
      {
        type: 'Local number',
        works: 'both_ways',
        text: 'No registration for recipients in Canada. Whoever also writes to the United States from it has to register it there (10DLC).',
      },
      {
        type: 'Toll-free number',
        works: 'both_ways',
        text: 'Must be verified before it may send, as in the United States; the same verification serves both.',
      },
      {
        type: 'Short code',
        works: 'both_ways',
        text: 'Leased from the carriers’ registry and approved for its program; eight to twelve weeks.',
      },
      { type: 'Sender name', works: 'no', text: 'Names instead of numbers are not supported by the carriers.' },
    ],
    laws: [
      {
        name: 'CASL',
        text: 'Consent, your name and a postal address with phone, mail or web, and a way out in every commercial message. Fines up to CAD 10 million.',
      },
      {
        name: 'PIPEDA and Quebec’s Law 25',
        text: 'Say what data is for, keep it no longer than needed, let people see it.',
      },
    ],
    consent:
      'Express consent has no end until it is withdrawn. Implied consent lasts two years after a purchase and six months after an enquiry. The proof is yours to keep.',
    hours:
      'No hours by law for texts. The rules for calls are a good measure: weekdays 9:00 to 21:30, weekends 10:00 to 18:00, where the person is.',
    opt_out:
      'STOP and ARRET must both work, HELP and AIDE must answer; the wish counts within 10 business days and costs nothing.',
    notes: [
      'Too long for one text? Name and address may stand behind a link, if it is clear and free.',
      'Write to people in Quebec in French, or in both languages.',
    ],
  },
  {
    key: 'gb',
    label: 'United Kingdom',
    senders: [
      {
        type: 'Sender name',
        works: 'one_way',
        text: 'Up to 11 letters and digits, usable at once. People cannot answer it. Well-known names can be protected in the industry’s registry, and general ones such as INFO are filtered.',
      },
      {
        type: 'Mobile number',
        works: 'both_ways',
        text: 'A long number for conversations and for STOP by reply; ready within days.',
      },
      {
        type: 'Short code',
        works: 'both_ways',
        text: 'Five digits, leased and set up with each network; four to eight weeks.',
      },
    ],
    laws: [
      {
        name: 'PECR',
        text: 'Marketing to individuals needs consent; your own customers may hear about similar things if they could say no then and can each time (soft opt-in).',
      },
      {
        name: 'UK GDPR',
        text: 'A lawful basis, a record of consent, and rights to see, correct and erase data. The ICO fines.',
      },
    ],
    consent:
      'A tick of their own, no box ticked beforehand, for this channel and by your name. Bought lists hardly ever meet that.',
    hours: 'No hours by law for texts. Between 8:00 and 20:00 is what people expect; not early on Sundays.',
    opt_out:
      'STOP by reply where the sender is a number. Under a name nobody can reply, so each text needs a link or another number to write STOP to, at no more than the normal rate.',
    notes: ['Charities and political parties are marketers too: the same rules hold for them.'],
  },
  {
    key: 'au',
    label: 'Australia',
    senders: [
      {
        type: 'Sender name',
        works: 'one_way',
        text: 'Since 1 July 2026 it must stand in the regulator’s SMS Sender ID Register; others are shown as “Unverified”. People cannot answer it.',
      },
      {
        type: 'Mobile number',
        works: 'both_ways',
        text: 'A virtual mobile number (04) for conversations and for STOP by reply; no registration, ready within days.',
      },
      { type: 'Short code', works: 'both_ways', text: 'Possible, seldom used: costly, and set up with each network.' },
    ],
    laws: [
      {
        name: 'Spam Act 2003',
        text: 'Consent (express, or inferred from a relationship), who you are, and a way out that works, in every commercial message. The ACMA fines.',
      },
      { name: 'Privacy Act 1988', text: 'Collect what you need, say what for, let people see and correct it.' },
    ],
    consent:
      'Express consent is best; it may be inferred from a lasting relationship, for what belongs to it. You have to prove it.',
    hours:
      'No hours by law for texts. The standard for calls is a good measure: weekdays 9:00 to 20:00, Saturday 9:00 to 17:00, not on Sundays and holidays.',
    opt_out:
      'Must work for at least 30 days after the message, without an account or further data, and be heeded within 5 business days. “Reply STOP” from a number; a link from a name.',
    notes: ['Links draw filters: tell the carrier of your domains, and never shorten them with a public service.'],
  },
  {
    key: 'other',
    label: 'Other countries',
    senders: [
      {
        type: 'Sender name',
        works: 'one_way',
        text: 'The usual way in Europe, Africa and most of Asia. Many countries want it registered first, among them India, Singapore, Saudi Arabia, the Emirates, Turkey and Vietnam; others overwrite it.',
      },
      {
        type: 'Mobile number',
        works: 'both_ways',
        text: 'For conversations in most of Europe and parts of Asia; often with proof of an address in the country.',
      },
      {
        type: 'Short code',
        works: 'both_ways',
        text: 'Leased for each country, set up with each network; one to three months.',
      },
      {
        type: 'WhatsApp and Viber',
        works: 'both_ways',
        text: 'Approved business profiles work across borders; outside of an open conversation WhatsApp wants an approved template.',
      },
    ],
    laws: [
      {
        name: 'GDPR and ePrivacy (EU)',
        text: 'Consent before marketing, a record of it, and rights to see, correct and erase. Customers may hear about similar things if they could say no.',
      },
      {
        name: 'DLT (India)',
        text: 'Company, name and every text are registered with the carriers; promotions only from 10:00 to 21:00.',
      },
      {
        name: 'PDPA (Singapore and others)',
        text: 'Consent, and in Singapore a look into the Do Not Call register. Names outside of its register are shown as “Likely-SCAM”.',
      },
    ],
    consent:
      'Ask for it in the person’s language, separately from the terms, for each channel. In Germany a confirmed (double) opt-in is what courts expect.',
    hours:
      'Between 8:00 and 20:00 where the person is is safe nearly everywhere. France keeps marketing out of nights, Sundays and holidays.',
    opt_out:
      'STOP by reply where the sender is a number, a link where it is a name. In France each marketing text carries its STOP with the number to send it to.',
    notes: [
      'Politics, gambling, loans and medicine are closed or licensed in many countries; ask before you plan.',
      'Banks and links: in several countries texts with links from banks are blocked.',
    ],
  },
];

/** By the country of the company; everywhere else is `other`. */
export function findRegion(country_code: string): Region {
  return REGIONS.find(({ key }) => key === country_code.toLowerCase()) ?? REGIONS.at(-1)!;
}
