/**
 * The command palette's entries besides pages: actions, and searches for records (a campaign, a contact, a message ID).
 * Each module registers its own in its `commands.ts`, which routes.tsx imports; this file does not depend on any
 * module.
 */
import type { Needs } from '@parley/contract/permission.ts';

interface Command {
  /** A unique ID, such as "campaigns.create". */
  id: string;
  label: string;
  /** Additional search words. */
  keywords?: string;
  path: string;
  needs?: Needs;
  /** Has the same meaning as in the target route's rule. */
  unverified?: boolean;
  main_only?: boolean;
  /** True if the action is offered only in the operators' view. */
  admin?: boolean;
}

export interface Jump {
  id: string;
  label: string;
  /** The kind of record, such as "Campaign". */
  kind: string;
  path: string;
}

/** Searches while the user types, starting at two characters; results for an earlier text are dropped. */
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

/** Scores a text against a query: 0 when a query word is missing, higher for matches at the start of words. */
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
