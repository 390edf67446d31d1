/** Sender types and regulations by the region of the recipients. As of 2026; not legal advice. */
export interface SenderRule {
  type: string;
  /** Whether the sender type is available, and whether people can reply. */
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
  /** Other rules that are easy to miss. */
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
        text:
          'Register your company (brand) and purpose (campaign) with The Campaign Registry. Carriers block ' +
          'business traffic from unregistered ten-digit numbers. Takes a few days to two weeks.',
      },
      {
        type: 'Toll-free number',
        works: 'both_ways',
        text:
          'Must be verified before it can send; until then, its messages are blocked. One number covers the ' +
          'United States and Canada.',
      },
      {
        type: 'Short code',
        works: 'both_ways',
        text:
          'Five or six digits, leased. Each carrier approves the program, which takes six to twelve weeks. ' +
          'Highest throughput.',
      },
      { type: 'Sender name', works: 'no', text: 'Carriers do not support names instead of numbers.' },
    ],
    laws: [
      {
        name: 'TCPA',
        text:
          'Requires consent before automated texts, in writing for marketing (a checked box or a text counts). ' +
          'Damages are $500 to $1,500 per message.',
      },
      {
        name: 'CTIA and carrier rules',
        text:
          'Sex, hate, alcohol, firearms and tobacco are prohibited or need an age gate; cannabis is ' +
          'prohibited. Public link shorteners are filtered, so use your own.',
      },
      { name: 'HIPAA', text: 'Health information requires agreements and safeguards. Keep it out of texts.' },
    ],
    consent:
      'People agree to texts from you by name, and know how many to expect, that rates may apply, and that ' +
      'consent is not a condition of purchase. Store the wording, the time and the number.',
    hours:
      "Marketing only from 8:00 to 21:00 in the recipient's time zone. Some states are stricter: Florida, " +
      'Oklahoma and Washington end at 20:00.',
    opt_out:
      'STOP, QUIT, END, REVOKE, OPT OUT, CANCEL and UNSUBSCRIBE must work, and so must any other clear ' +
      'request, within 10 business days. HELP must get a reply.',
    notes: [
      'Identify yourself in the first message and once a month.',
      'WhatsApp has not delivered marketing templates to US numbers since April 2025. Utility and ' +
        'authentication templates are delivered.',
    ],
  },
  {
    key: 'ca',
    label: 'Canada',
    senders: [
      {
        type: 'Local number',
        works: 'both_ways',
        text:
          'No registration for recipients in Canada. To send to the United States as well, register the number ' +
          'there (10DLC).',
      },
      {
        type: 'Toll-free number',
        works: 'both_ways',
        text: 'Must be verified before it can send, as in the United States. One verification covers both.',
      },
      {
        type: 'Short code',
        works: 'both_ways',
        text: "Leased from the carriers' registry and approved for its program. Takes eight to twelve weeks.",
      },
      { type: 'Sender name', works: 'no', text: 'Carriers do not support names instead of numbers.' },
    ],
    laws: [
      {
        name: 'CASL',
        text:
          'Requires consent, your name, a postal address with phone, email or website, and an opt-out in every ' +
          'commercial message. Fines up to CAD 10 million.',
      },
      {
        name: "PIPEDA and Quebec's Law 25",
        text: 'State what you use data for, keep it no longer than needed, and let people access it.',
      },
    ],
    consent:
      'Express consent is valid until it is withdrawn. Implied consent lasts two years after a purchase and ' +
      'six months after an inquiry. You must keep proof.',
    hours:
      'No legal hours for texts. The rules for calls are a good guide: weekdays 9:00 to 21:30, weekends ' +
      "10:00 to 18:00, in the recipient's time zone.",
    opt_out:
      'STOP and ARRET must both work, and HELP and AIDE must get a reply. Opt-outs are free and take effect ' +
      'within 10 business days.',
    notes: [
      'Too long for one text? You can link to your name and address if the link is clear and free.',
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
        text:
          'Up to 11 letters and digits, ready immediately. People cannot reply. Well-known names can be ' +
          "protected in the industry's registry, and generic ones such as INFO are filtered.",
      },
      {
        type: 'Mobile number',
        works: 'both_ways',
        text: 'A regular phone number for two-way conversations and STOP replies. Ready within days.',
      },
      {
        type: 'Short code',
        works: 'both_ways',
        text: 'Five digits, leased and set up with each network. Takes four to eight weeks.',
      },
    ],
    laws: [
      {
        name: 'PECR',
        text:
          'Marketing to individuals needs consent. You may tell existing customers about similar products if ' +
          'they could opt out at purchase and can in every message (soft opt-in).',
      },
      {
        name: 'UK GDPR',
        text:
          'Requires a lawful basis, a record of consent, and rights to access, correct and erase data. The ICO ' +
          'issues fines.',
      },
    ],
    consent:
      'People opt in actively (no pre-checked boxes), for this channel and for your company by name. ' +
      'Purchased lists rarely qualify.',
    hours: 'No legal hours for texts. People expect them between 8:00 and 20:00, and not early on Sundays.',
    opt_out:
      'With a number, people reply STOP. A name cannot receive replies, so each text needs an opt-out link ' +
      'or a number to text STOP to, at no more than the standard rate.',
    notes: ['The same rules apply to charities and political parties.'],
  },
  {
    key: 'au',
    label: 'Australia',
    senders: [
      {
        type: 'Sender name',
        works: 'one_way',
        text:
          "Since July 1, 2026, it must be in the regulator's SMS Sender ID Register; others are shown as " +
          '"Unverified". People cannot reply.',
      },
      {
        type: 'Mobile number',
        works: 'both_ways',
        text: 'A virtual mobile number (04) for conversations and STOP replies. No registration, ready within days.',
      },
      { type: 'Short code', works: 'both_ways', text: 'Possible but rare: expensive, and set up with each network.' },
    ],
    laws: [
      {
        name: 'Spam Act 2003',
        text:
          'Requires consent (express, or inferred from a relationship), your identity, and a working opt-out ' +
          'in every commercial message. The ACMA issues fines.',
      },
      {
        name: 'Privacy Act 1988',
        text: 'Collect only what you need, state what for, and let people access and correct it.',
      },
    ],
    consent:
      'Express consent is best. It can be inferred from an ongoing relationship, for related messages only. ' +
      'You must be able to prove it.',
    hours:
      'No legal hours for texts. The standard for calls is a good guide: weekdays 9:00 to 20:00, Saturdays ' +
      '9:00 to 17:00, not on Sundays and holidays.',
    opt_out:
      'Must work for at least 30 days after the message, without an account or extra data, and take effect ' +
      'within 5 business days. Use "Reply STOP" with a number, a link with a name.',
    notes: ['Links trigger filters: give the carrier your domains, and never use a public link shortener.'],
  },
  {
    key: 'other',
    label: 'Other countries',
    senders: [
      {
        type: 'Sender name',
        works: 'one_way',
        text:
          'The usual sender in Europe, Africa and most of Asia. Many countries require registration, among ' +
          'them India, Singapore, Saudi Arabia, the UAE, Turkey and Vietnam; others replace the name.',
      },
      {
        type: 'Mobile number',
        works: 'both_ways',
        text: 'For conversations in most of Europe and parts of Asia. Often requires proof of a local address.',
      },
      {
        type: 'Short code',
        works: 'both_ways',
        text: 'Leased per country and set up with each network. Takes one to three months.',
      },
      {
        type: 'WhatsApp and Viber',
        works: 'both_ways',
        text:
          'Approved business profiles work across borders. Outside an open conversation, WhatsApp requires an ' +
          'approved template.',
      },
    ],
    laws: [
      {
        name: 'GDPR and ePrivacy (EU)',
        text:
          'Requires consent before marketing, a record of it, and rights to access, correct and erase data. ' +
          'You may tell customers about similar products if they could opt out.',
      },
      {
        name: 'DLT (India)',
        text:
          'Register your company, sender name and every text with the carriers. Promotions only from 10:00 to ' +
          '21:00.',
      },
      {
        name: 'PDPA (Singapore and others)',
        text:
          'Requires consent, and in Singapore a check of the Do Not Call register. Unregistered names are ' +
          'shown as "Likely-SCAM".',
      },
    ],
    consent:
      "Ask for it in the recipient's language, separately from the terms, for each channel. German courts " +
      'expect a confirmed (double) opt-in.',
    hours:
      'Between 8:00 and 20:00 local time is safe almost everywhere. France bans marketing at night, on ' +
      'Sundays and on holidays.',
    opt_out:
      'With a number, people reply STOP; with a name, they use a link. In France, each marketing text ' +
      'includes STOP and the number to send it to.',
    notes: [
      'Politics, gambling, loans and medicine are prohibited or licensed in many countries. Ask before you plan.',
      'In several countries, texts from banks that contain links are blocked.',
    ],
  },
];

/** The region of a country; `other` if it has no region of its own. */
export function findRegion(country_code: string): Region {
  return REGIONS.find(({ key }) => key === country_code.toLowerCase()) ?? REGIONS.at(-1)!;
}
