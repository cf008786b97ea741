import type { Icon } from '@tabler/icons-react'

/** The kinds of entries, in the order in which they are listed. */
export const ENTRY_GROUPS = [
  'screens',
  'commands',
  'apps',
  'channels',
  'releases',
  'devices',
  // Last: what acts at once is never what is chosen for something else.
  'stops',
] as const
export type EntryGroup = (typeof ENTRY_GROUPS)[number]

/** What the command palette offers. */
export interface Entry {
  /** Unique among all entries; without spaces. */
  readonly id: string
  readonly group: EntryGroup
  readonly label: string
  /** Small print under the label, searched as well; may be empty. */
  readonly detail: string
  /** Words for what it does, one of which has to be typed; left out where any word of it will do. */
  readonly verbs?: readonly string[]
  readonly Icon: Icon
  readonly run: () => void
}

/** Maximum number of entries of each group while something is searched. */
const MAX_PER_GROUP = 6

/**
 * Returns the entries that have every word of the text, those that begin with it first, a few of each group. Without
 * a text, returns the screens and the commands.
 */
export function findEntries(entries: readonly Entry[], text: string): Entry[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) {
    return entries.filter(({ group }) => group === 'screens' || group === 'commands')
  }
  const ranked = entries.flatMap((entry) => {
    const rank = rankOf(entry, words)
    return rank === undefined ? [] : [{ entry, rank }]
  })
  ranked.sort((one, other) => one.rank - other.rank)
  return ENTRY_GROUPS.flatMap((group) =>
    ranked
      .filter(({ entry }) => entry.group === group)
      .slice(0, MAX_PER_GROUP)
      .map(({ entry }) => entry),
  )
}

/** Least letters of a verb. */
const MIN_VERB = 3

/** 0 where the label begins with the words, 1 where each word begins one of it, 2 where it is only part of one. */
function rankOf(
  { label, detail, verbs = [] }: Entry,
  words: readonly string[],
): number | undefined {
  const name = label.toLowerCase()
  const all = `${name} ${detail.toLowerCase()} ${verbs.join(' ')}`
  if (!words.every((word) => all.includes(word))) return undefined
  const isMeant = (word: string) =>
    word.length >= MIN_VERB && verbs.some((verb) => verb.startsWith(word))
  if (verbs.length > 0 && !words.some(isMeant)) return undefined
  if (name.startsWith(words.join(' '))) return 0
  const parts = all.split(/[\s/._-]+/)
  return words.every((word) => parts.some((part) => part.startsWith(word))) ? 1 : 2
}
