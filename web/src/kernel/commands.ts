/**
 * What the command palette can do beside opening pages: actions that modules register, and searches by what was typed (a campaign, a contact, a
 * message id). Registered from a module's `commands.ts`, listed in routes.tsx; nothing here knows a module.
 */
import type { Needs } from '@parley/contract/permission.ts';

export interface Command {
  /** Unique: "campaigns.create". */
  id: string;
  label: string;
  /** Further words to be found by. */
  words?: string;
  path: string;
  needs?: Needs;
  /** As of the route it leads to. */
  unverified?: boolean;
  main_only?: boolean;
  /** Operators' view only. */
  admin?: boolean;
}

export interface Jump {
  id: string;
  label: string;
  /** What it is: "Campaign". */
  kind: string;
  path: string;
}

/** Asked while typing, with at least two characters; answers are dropped once something else is typed. */
export interface JumpSource {
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

/** Every typed word must begin a word of the text; better matches come first. */
export function rank(text: string, typed: string): number {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const inside = text.toLowerCase();
  let score = 0;
  for (const word of words) {
    const at = inside.indexOf(word);
    if (at < 0) return 0;
    score += at === 0 ? 3 : /\W/.test(inside[at - 1] as string) ? 2 : 1;
  }
  return score || 1;
}
