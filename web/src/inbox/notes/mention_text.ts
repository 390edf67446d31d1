/** Mentions in the text of a note: `@` and the full name of a user. */

export interface Named {
  id: string;
  full_name: string;
}

export interface TextPart {
  /** The offset of the part in the text. */
  start: number;
  text: string;
  /** The mentioned user, if the part is a mention. */
  user: Named | null;
}

const LETTER = /[\p{L}\p{N}]/u;

/** Splits the text at its mentions of these users. If two names match, the longer one wins. */
export function splitMentions(text: string, users: readonly Named[]): TextPart[] {
  const byLength = users.toSorted((one, other) => other.full_name.length - one.full_name.length);
  const parts: TextPart[] = [];
  let start = 0;
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    if (at > 0 && LETTER.test(text[at - 1]!)) continue;
    const user = byLength.find(({ full_name }) => {
      const end = at + 1 + full_name.length;
      return full_name !== '' && text.startsWith(full_name, at + 1) && !LETTER.test(text.charAt(end));
    });
    if (!user) continue;
    if (at > start) parts.push({ start, text: text.slice(start, at), user: null });
    start = at + 1 + user.full_name.length;
    parts.push({ start: at, text: text.slice(at, start), user });
  }
  if (start < text.length) parts.push({ start, text: text.slice(start), user: null });
  return parts;
}

/** The users to notify. A name that several users have counts for those chosen from the list. */
export function mentionedIds(text: string, users: readonly Named[], chosen: ReadonlySet<string>): string[] {
  const names = new Set(splitMentions(text, users).flatMap(({ user }) => (user ? [user.full_name] : [])));
  return users
    .filter(({ full_name }) => names.has(full_name))
    .filter(
      ({ id, full_name }, _, found) =>
        chosen.has(id) || !found.some((other) => other.id !== id && other.full_name === full_name),
    )
    .map(({ id }) => id);
}

const BEFORE_CARET = /(?:^|[^\p{L}\p{N}])@([\p{L}\p{N}.'-]*(?: [\p{L}\p{N}.'-]*)?)$/u;

/** The name that is being typed before the caret: where its `@` is, and the letters after it. */
export function typedMention(text: string, caret: number): { at: number; letters: string } | null {
  const match = BEFORE_CARET.exec(text.slice(0, caret));
  return match ? { at: caret - match[1]!.length - 1, letters: match[1]!.toLowerCase() } : null;
}

/** The users whose full name, or one of its words, begins with the letters. */
export function matchUsers<T extends Named & { email: string }>(users: readonly T[], letters: string): T[] {
  const isMatch = ({ full_name, email }: T) => {
    const name = full_name.toLowerCase();
    return name.startsWith(letters) || name.includes(` ${letters}`) || email.toLowerCase().startsWith(letters);
  };
  return users.filter(isMatch);
}
