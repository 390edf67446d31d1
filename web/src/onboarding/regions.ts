/** Sender types and regulations by the region of the recipients, each with its public source; not legal advice. */

/** The day on which the texts were last compared with copies of their sources. */
export const AS_OF = 'November 29, 2026';

export interface SenderRule {
  type: string;
  /** Whether the sender type is available, and whether people can reply. */
  works: 'both_ways' | 'one_way' | 'no';
  text: string;
}
export interface Law {
  name: string;
  text: string;
  /** The official home of the law or rule, at an address that does not change with amendments. */
  source: string;
  /** False: the text could not be compared with a copy of its source. */
  checked: boolean;
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
          'business traffic from unregistered ten-digit numbers. Registration takes a few days to two weeks.',
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
          'A five- or six-digit number that you lease. Each carrier must approve your program, which takes 6 to 12 ' +
          'weeks. Offers the highest throughput.',
      },
      { type: 'Sender ID', works: 'no', text: 'Carriers do not support names as senders.' },
    ],
    laws: [
      {
        name: 'TCPA',
        source: 'https://www.ecfr.gov/current/title-47/section-64.1200',
        checked: true,
        text:
          'Requires consent before you send automated texts. Marketing texts require written consent; a checked ' +
          'box or a text message counts. Damages are $500 to $1,500 per message.',
      },
      {
        name: 'CTIA and carrier rules',
        source: 'https://www.ctia.org/the-wireless-industry/industry-commitments/messaging-interoperability-sms-mms',
        checked: false,
        text:
          'Messages about sex, hate, alcohol, firearms, and tobacco are prohibited or require an age gate. ' +
          'Cannabis is prohibited. Carriers filter links from public shorteners, so use your own domain.',
      },
      {
        name: 'HIPAA',
        source: 'https://www.ecfr.gov/current/title-45/subtitle-A/subchapter-C/part-164',
        checked: true,
        text:
          'Providers and their business associates need agreements and safeguards for health information. Keep it ' +
          'out of text messages.',
      },
    ],
    consent:
      'Recipients must agree to texts from your company by name. Tell them how many to expect, that message and ' +
      'data rates may apply, and that consent is not a condition of purchase. Store the wording, the time, and the ' +
      'number.',
    hours:
      'Send marketing only from 8:00 to 21:00 in the recipient’s time zone. Some states are stricter: Florida, ' +
      'Oklahoma, and Washington end at 20:00, Connecticut allows 9:00 to 20:00, and Texas begins at 9:00, on Sundays ' +
      'at noon.',
    opt_out:
      'You must honor STOP, QUIT, END, REVOKE, OPT OUT, CANCEL, UNSUBSCRIBE, and any other clear request within 10 ' +
      'business days. You may confirm it with one text. HELP must get a reply.',
    notes: [
      'Identify your company in the first message and at least once a month.',
      'WhatsApp has not delivered marketing templates to US numbers since April 2025. Utility and authentication ' +
        'templates are still delivered.',
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
          'No registration is required for recipients in Canada. To also send to the United States, register the ' +
          'number for 10DLC.',
      },
      {
        type: 'Toll-free number',
        works: 'both_ways',
        text: 'Must be verified before it can send, as in the United States. One verification covers both countries.',
      },
      {
        type: 'Short code',
        works: 'both_ways',
        text: "Leased from the carriers' registry. Your program must be approved, which takes 8 to 12 weeks.",
      },
      { type: 'Sender ID', works: 'no', text: 'Carriers do not support names as senders.' },
    ],
    laws: [
      {
        name: 'CASL',
        source: 'https://laws-lois.justice.gc.ca/eng/acts/E-1.6/',
        checked: true,
        text:
          'Requires consent. Every commercial message must include your name, your postal address, another contact ' +
          '(phone, email, or website), and an opt-out. Fines can reach CAD 10 million.',
      },
      {
        name: 'PIPEDA and Quebec’s Law 25',
        source: 'https://laws-lois.justice.gc.ca/eng/acts/P-8.6/',
        checked: false,
        text: 'State what you use data for, keep it no longer than needed, and let people access it.',
      },
    ],
    consent:
      'Express consent is valid until it is withdrawn. Implied consent lasts two years after a purchase and six ' +
      'months after an inquiry. You must keep proof of consent.',
    hours:
      'The law does not restrict the hours for texts. The rules for calls are a good guide: weekdays 9:00 to 21:30 ' +
      'and weekends 10:00 to 18:00 in the recipient’s time zone.',
    opt_out:
      'STOP and ARRET must both work, and HELP and AIDE must get a reply. Opting out must be free, work for at ' +
      'least 60 days after the message, and take effect within 10 business days.',
    notes: [
      'If your contact details do not fit in the text, you can link to them. The link must be clear and free to use.',
      'Write to recipients in Quebec in French, or in both French and English.',
    ],
  },
  {
    key: 'gb',
    label: 'United Kingdom',
    senders: [
      {
        type: 'Sender ID',
        works: 'one_way',
        text:
          'A name with up to 11 letters and digits, ready to use immediately. People cannot reply. Well-known ' +
          'names can be protected in the industry’s registry, and generic names such as INFO are filtered.',
      },
      {
        type: 'Mobile number',
        works: 'both_ways',
        text: 'A regular phone number for two-way conversations and STOP replies. Ready to use within days.',
      },
      {
        type: 'Short code',
        works: 'both_ways',
        text: 'A five-digit number that you lease. Setup with each network takes four to eight weeks.',
      },
    ],
    laws: [
      {
        name: 'PECR',
        source: 'https://www.legislation.gov.uk/uksi/2003/2426/contents',
        checked: true,
        text:
          'Marketing to individuals requires consent. You may market similar products to existing customers if ' +
          'they could opt out at the time of purchase and can opt out in every message (soft opt-in).',
      },
      {
        name: 'UK GDPR',
        source: 'https://www.legislation.gov.uk/eur/2016/679/contents',
        checked: false,
        text:
          'Requires a lawful basis and a record of consent. People have the right to access, correct, and erase ' +
          'their data. The ICO can issue fines.',
      },
    ],
    consent:
      'People must actively opt in (no pre-checked boxes) to messages from your company by name on this channel. ' +
      'Purchased lists rarely qualify.',
    hours: 'The law does not restrict the hours for texts. Send them between 8:00 and 20:00, but not early on Sundays.',
    opt_out:
      'If you send from a number, people opt out by replying STOP. A sender ID cannot receive replies, so each text ' +
      'needs an opt-out link or a number to text STOP to, at no more than the standard rate.',
    notes: [
      'The same rules apply to charities and political parties. Since February 5, 2026, charities may also use the ' +
        'soft opt-in for people who support them or are interested in their purposes.',
    ],
  },
  {
    key: 'au',
    label: 'Australia',
    senders: [
      {
        type: 'Sender ID',
        works: 'one_way',
        text:
          'Since July 1, 2026, sender IDs must be in the regulator’s SMS Sender ID Register. All others are shown ' +
          'as "Unverified." People cannot reply.',
      },
      {
        type: 'Mobile number',
        works: 'both_ways',
        text:
          'A virtual mobile number (04) for conversations and STOP replies. No registration is required. Ready to ' +
          'use within days.',
      },
      {
        type: 'Short code',
        works: 'both_ways',
        text: 'Rarely used. Short codes are expensive and must be set up with each network.',
      },
    ],
    laws: [
      {
        name: 'Spam Act 2003',
        source: 'https://www.legislation.gov.au/C2004A01214/latest/text',
        checked: true,
        text:
          'Requires consent, either express or inferred from a relationship. Every commercial message must ' +
          'identify you and include a working opt-out. The ACMA can issue fines.',
      },
      {
        name: 'Privacy Act 1988 (APA)',
        source: 'https://www.legislation.gov.au/C2004A03712/latest/text',
        checked: false,
        text: 'Collect only the data you need, state why you need it, and let people access and correct it.',
      },
    ],
    consent:
      'Express consent is best. Consent can also be inferred from an ongoing relationship, but only for related ' +
      'messages. You must be able to prove consent.',
    hours:
      'The law does not restrict the hours for texts. The standard for calls is a good guide: weekdays 9:00 to ' +
      '20:00, Saturdays 9:00 to 17:00, and never on Sundays or holidays.',
    opt_out:
      'Opt-outs must work for at least 30 days after the message, must not require an account or extra data, and ' +
      'must take effect within 5 business days. Use "Reply STOP" if you send from a number, or a link if you send ' +
      'from a sender ID.',
    notes: [
      'Links can trigger filters. Tell the carrier which domains you use, and never use a public link shortener.',
    ],
  },
  {
    key: 'other',
    label: 'Other countries',
    senders: [
      {
        type: 'Sender ID',
        works: 'one_way',
        text:
          'The usual sender type in Europe, Africa, and most of Asia. Many countries require registration, ' +
          'including India, Singapore, Saudi Arabia, the UAE, Turkey, and Vietnam. In some other countries, carriers ' +
          'replace the sender ID.',
      },
      {
        type: 'Mobile number',
        works: 'both_ways',
        text: 'Supports conversations in most of Europe and parts of Asia. Often requires proof of a local address.',
      },
      {
        type: 'Short code',
        works: 'both_ways',
        text: 'Leased per country and set up with each network, which takes one to three months.',
      },
      {
        type: 'WhatsApp and Viber',
        works: 'both_ways',
        text:
          'Approved business profiles work across borders. If the recipient has not written to you in the last 24 ' +
          'hours, WhatsApp requires an approved template.',
      },
    ],
    laws: [
      {
        name: 'GDPR and ePrivacy (EU)',
        source: 'https://eur-lex.europa.eu/eli/reg/2016/679/oj',
        checked: false,
        text:
          'Requires consent before marketing and a record of that consent. People have the right to access, ' +
          'correct, and erase their data. You may market similar products to existing customers if they could opt ' +
          'out.',
      },
      {
        name: 'PSD2 (EU)',
        source: 'https://eur-lex.europa.eu/eli/dir/2015/2366/oj',
        checked: true,
        text:
          'Codes that approve a remote payment are part of strong customer authentication. Each code belongs to one ' +
          'amount and one payee: if either changes, the code is void.',
      },
      {
        name: 'DLT (India)',
        source: 'https://www.trai.gov.in/',
        checked: false,
        text:
          'Register your company, your sender IDs, and every text with the carriers. Send promotions only from ' +
          '10:00 to 21:00.',
      },
      {
        name: 'PDPA (Singapore and others)',
        source: 'https://sso.agc.gov.sg/Act/PDPA2012',
        checked: false,
        text:
          'Requires consent. In Singapore, you must also check the Do Not Call Registry, and unregistered sender ' +
          'IDs are shown as "Likely-SCAM."',
      },
    ],
    consent:
      'Ask for consent in the recipient’s language, separately from your terms, and for each channel. German ' +
      'courts expect a confirmed (double) opt-in.',
    hours:
      'Sending between 8:00 and 20:00 local time is safe almost everywhere. France bans marketing texts at night, ' +
      'on Sundays, and on holidays.',
    opt_out:
      'If you send from a number, people opt out by replying STOP. If you send from a sender ID, they use a link. ' +
      'In France, each marketing text must include STOP and the number to send it to.',
    notes: [
      'Many countries ban texts about politics, gambling, loans, or medicine, or require a license for them. Check ' +
        'the rules before you plan a campaign.',
      'Several countries block texts from banks that contain links.',
    ],
  },
];

/** The region of a country; `other` if it has no region of its own. */
export function findRegion(country_code: string): Region {
  return REGIONS.find(({ key }) => key === country_code.toLowerCase()) ?? REGIONS.at(-1)!;
}
