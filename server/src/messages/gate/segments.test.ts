/** Tests that the connection submits as many segments as the gate counts and prices. */
import { SmppSettings } from '@parley/contract/channels/sms/settings.ts';
import { encodePdu, type Pdu } from '@parley/smpp/pdu.ts';
import { createSmppServer } from '@parley/smpp/server.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Bind } from '../../channels/channel.ts';
import { smpp } from '../../channels/smpp/smpp.ts';
import { judge } from './recipients.ts';

const PROFILES = (['gsm7', 'latin1', 'ascii'] as const).flatMap((default_alphabet) =>
  (['140', '160'] as const).flatMap((segment_capacity) =>
    (['udh8', 'udh16', 'sar', 'payload'] as const).map((multipart) => ({
      default_alphabet,
      segment_capacity,
      multipart,
    })),
  ),
);
type Profile = (typeof PROFILES)[number];

const PRICE = 40_000;

function findPrice(text: string, profile: Profile) {
  const { passed } = judge([{ index: 0, number: '447700900000', country: 'GB', text }], {
    channel: 'SMS',
    sender: { countries: [] },
    stopped: new Set(),
    route: () => 'connection',
    profile: () => profile,
    price: () => ({ price_micros: PRICE, mccmnc: null }),
  });
  return passed[0];
}

/** Counts the segments of the octets as a phone receives them, independently of the contract's counter. */
function phoneSegments(octets: Buffer, coding: number, profile: Profile): number {
  const isWide = coding === 8;
  const bits = isWide ? 8 : profile.default_alphabet === 'gsm7' || profile.segment_capacity === '160' ? 7 : 8;
  const room = (header: number) =>
    bits === 7 ? Math.floor(((140 - header) * 8) / 7) : (140 - header) & ~(isWide ? 1 : 0);
  if (octets.length <= room(0)) return 1;
  const each = room(profile.multipart === 'udh16' ? 7 : 6);
  let count = 1;
  let used = 0;
  for (let at = 0; at < octets.length; ) {
    const isPair = isWide && (octets[at]! & 0xfc) === 0xd8 && (octets[at + 2] ?? 0) >> 2 === 0x37;
    const isEscaped = profile.default_alphabet === 'gsm7' && !isWide && octets[at] === 0x1b;
    const size = isWide ? (isPair ? 4 : 2) : isEscaped ? 2 : 1;
    if (used + size > each) {
      count++;
      used = 0;
    }
    used += size;
    at += size;
  }
  return count;
}

/** Returns the number of segments that a carrier charges for the submitted PDUs. */
const wireSegments = (pdus: readonly Pdu[], profile: Profile): number =>
  pdus.reduce((sum, pdu) => {
    const payload = pdu.tlvs?.message_payload;
    return sum + (payload ? phoneSegments(payload, pdu.data_coding ?? 0, profile) : 1);
  }, 0);

const TEXTS = fc.oneof(
  fc.string({ unit: fc.constantFrom(...'abc @€{}[]~éèçáÄñ§Ω'), maxLength: 700 }),
  fc.string({ unit: fc.constantFrom('a', 'é', 'á', '…', 'Ж', '🙂', '€', '\ud83d'), maxLength: 400 }),
  fc.nat(330).map((length) => 'a'.repeat(length)),
  fc.nat(330).map((length) => 'é'.repeat(length)),
);

async function openCarrier() {
  const pdus: Pdu[] = [];
  const server = createSmppServer({
    authenticate: () => 0,
    onBound: (session) => {
      session.onSubmit = (pdu) => {
        // Copies the octets, because they share memory with the network chunk.
        pdus.push(structuredClone(pdu));
        return { message_id: String(pdus.length) };
      };
    },
  });
  const port = await server.listen(0, '127.0.0.1');
  return { pdus, port, stop: () => server.close(0) };
}

async function openBind(settings: SmppSettings): Promise<Bind> {
  const states: (() => void)[] = [];
  const events = {
    report: async () => {},
    incoming: async () => {},
    changed: () => {
      for (const notify of states) notify();
    },
  };
  const bind = smpp.open({ id: 'connection', settings }, events);
  while (bind.state !== 'bound') await new Promise<void>((resolve) => states.push(resolve));
  return bind;
}

test.each(PROFILES)(
  'the priced segments equal the submitted ones when the profile is $default_alphabet, $segment_capacity, $multipart',
  async (profile) => {
    const carrier = await openCarrier();
    const settings = SmppSettings.parse({ host: '127.0.0.1', port: carrier.port, system_id: 'us', ...profile });
    const bind = await openBind(settings);
    try {
      await fc.assert(
        fc.asyncProperty(TEXTS, async (text) => {
          const passed = findPrice(text, profile);
          if (!passed) return;
          carrier.pdus.length = 0;
          const { failure, parts, segments } = await bind.send({
            from: '447700900001',
            to: passed.number,
            text,
            content: null,
            reference: 0x1234,
            key: 'k1',
            valid_seconds: 3_600,
            sent_parts: [],
          });
          expect(failure).toBeNull();
          expect(carrier.pdus).toHaveLength(parts);
          for (const pdu of carrier.pdus) expect(encodePdu(pdu).length).toBeGreaterThan(16);
          expect(wireSegments(carrier.pdus, profile)).toBe(passed.segments_count);
          expect(segments).toBe(passed.segments_count);
          expect(passed.price_micros).toBe(PRICE * passed.segments_count);
          if (profile.multipart !== 'payload') expect(parts).toBe(passed.segments_count);
        }),
        { numRuns: 40 },
      );
    } finally {
      await bind.close(0);
      await carrier.stop();
    }
  },
);
