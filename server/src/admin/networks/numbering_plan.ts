/**
 * Reads a numbering plan: a CSV file with one network per line. `numbering_plan.csv` is bundled. Its prefixes come
 * from the carrier data of libphonenumber (Apache License 2.0), and its network codes from mcc-mnc-list (MIT). A
 * prefix names the network that the range was issued to. A ported number may be with another one. These sources
 * exclude the United States and Canada.
 */
import { readFile } from 'node:fs/promises';
import type { Network } from '@parley/contract/admin/networks.ts';
import { isCountry } from '@parley/contract/country.ts';
import { Problem } from '@parley/contract/problem.ts';
import { readCsv } from '../../kernel/files/csv_reader.ts';

export interface NumberingPlan {
  networks: Network[];
  problems: { line: number; text: string }[];
}

export const readBundledPlan = (): Promise<string> =>
  readFile(new URL('./numbering_plan.csv', import.meta.url), 'utf8');

const COLUMNS = ['mccmnc', 'name', 'country', 'prefixes'];

/** Throws NUMBERING_PLAN_UNREADABLE if the file is not CSV, lacks a column, or has no networks. */
export function readPlan(text: string): NumberingPlan {
  const table = readCsv(text);
  if (!table) throw unreadable('A quoted cell in the file is not closed');
  const [header, ...lines] = table;
  const names = (header?.cells ?? []).map((name) => name.toLowerCase());
  const absent = COLUMNS.filter((name) => !names.includes(name));
  if (absent.length > 0) throw unreadable(`The first line must name the columns. Missing: ${absent.join(', ')}.`);
  if (lines.length === 0) throw unreadable('The file has no networks');
  const plan: NumberingPlan = { networks: [], problems: [] };
  const codes = new Set<string>();
  const holders = new Map<string, string>();
  for (const { line, cells } of lines) {
    const [mccmnc = '', name = '', country = '', prefixes = ''] = COLUMNS.map((column) => cells[names.indexOf(column)]);
    const list = [...new Set(prefixes.split(/[\s,;|]+/).filter(Boolean))];
    const network = { mccmnc, name, country: country.toUpperCase(), prefixes: list };
    const problem = findProblem(network, codes, holders);
    if (problem) plan.problems.push({ line, text: problem });
    else plan.networks.push(network);
    codes.add(mccmnc);
    for (const prefix of list) holders.set(prefix, mccmnc);
  }
  return plan;
}

const unreadable = (message: string) => new Problem('NUMBERING_PLAN_UNREADABLE', { message });

function findProblem(
  { mccmnc, name, country, prefixes }: Network,
  codes: ReadonlySet<string>,
  holders: ReadonlyMap<string, string>,
): string | null {
  if (!/^\d{5,6}$/.test(mccmnc)) return `"${mccmnc}" is not an MCC and MNC of 5 or 6 digits`;
  if (codes.has(mccmnc)) return `The network ${mccmnc} appears twice`;
  if (name === '' || name.length > 100) return 'The name must have 1 to 100 characters';
  if (!isCountry(country)) return `Unknown country "${country}". Use the two-letter code, such as DE.`;
  const invalid = prefixes.find((prefix) => !/^\d{1,15}$/.test(prefix));
  if (invalid !== undefined) return `The prefix "${invalid}" is not 1 to 15 digits with the country code`;
  const taken = prefixes.find((prefix) => holders.has(prefix));
  return taken === undefined ? null : `The prefix ${taken} also belongs to the network ${holders.get(taken)}`;
}
