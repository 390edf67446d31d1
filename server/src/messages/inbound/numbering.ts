/**
 * Adds the country code to numbers that a carrier sends without one, because conversations, the stop list, and evidence
 * compare complete numbers.
 */
import { nationalNumber, parseNumber } from '../../audiences/audiences.ts';
import type { Incoming, Report } from '../../channels/channel.ts';
import type { NumberForm } from '../../channels/connection_test.ts';

/** Shorter numbers are short codes, which have no country code. */
const SHORTEST = 7;

function completeNumber(written: string, form: NumberForm, country: string): string {
  if (!/^\d+$/.test(written) || written.length < SHORTEST) return written;
  const international = () => parseNumber(`+${written}`);
  const national = () => nationalNumber(written, country);
  // Some carriers declare every number as international, so the country code may still be missing.
  const parsed =
    form === 'international'
      ? (international() ?? national())
      : form === 'national'
        ? (national() ?? international())
        : parseNumber(written, country);
  return parsed?.number ?? written;
}

export function completeReport(report: Report): Report {
  if (!report.numbering) return report;
  const { numbering, ...rest } = report;
  return {
    ...rest,
    number: completeNumber(report.number, numbering.from, numbering.country),
    sender: completeNumber(report.sender, numbering.to, numbering.country),
  };
}

export function completeIncoming(incoming: Incoming): Incoming {
  if (!incoming.numbering) return incoming;
  const { numbering, ...rest } = incoming;
  return {
    ...rest,
    from: completeNumber(incoming.from, numbering.from, numbering.country),
    to: completeNumber(incoming.to, numbering.to, numbering.country),
  };
}
