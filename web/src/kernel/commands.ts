/**
 * What the command palette offers besides pages: actions and searches for records (a campaign, a contact, a message
 * id). A module registers them in its `commands.ts`, which routes.tsx imports; this file knows no module.
 */
import type { Needs } from '@parley/contract/permission.ts';

interface Command {
  /** Unique: "campaigns.create". */
  id: string;
  label: string;
  /** More search words. */
  keywords?: string;
  path: string;
  needs?: Needs;
  /** As in the rule of the target route. */
  unverified?: boolean;
  main_only?: boolean;
  /** Operators' view only. */
  admin?: boolean;
}

export interface Jump {
  id: string;
  label: string;
  /** The type of the record: "Campaign". */
  kind: string;
  path: string;
}

/** Searches while the user types, from two characters on; the results of an earlier text are dropped. */
interface JumpSource {
  id: string;
  needs: Needs | null;
  find: (text: string, signal: AbortSignal) => Promise<Jump[]>;
}

const commands = new Map<string, Command>();
const sources = new Map<string, JumpSource>();

export function registerCommands(...list: readonly Command[]): void {
  for (const command of list) commands.set(command.id, command);
}
export function registerJumps(...list: readonly JumpSource[]): void {
  for (const source of list) sources.set(source.id, source);
}

export const allCommands = (): Command[] => [...commands.values()];
export const allSources = (): JumpSource[] => [...sources.values()];

/** Scores a text for a query: 0 when a word of the query is missing, more for matches at the start of words. */
export function rank(text: string, query: string): number {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const inside = text.toLowerCase();
  let score = 0;
  for (const word of words) {
    const at = inside.indexOf(word);
    if (at < 0) return 0;
    score += at === 0 ? 3 : /\W/.test(inside[at - 1] as string) ? 2 : 1;
  }
  return score || 1;
}
