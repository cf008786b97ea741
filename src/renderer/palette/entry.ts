import type { Icon } from '@tabler/icons-react'

/** The kinds of entries, in the order in which they are listed. */
export const ENTRY_GROUPS = [
  'screens',
  'commands',
  'stops',
  'apps',
  'channels',
  'releases',
  'devices',
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
  /** Other words for it that people search by. */
  readonly also?: string
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

/** 0 where the label begins with the words, 1 where each word begins one of it, 2 where it is only part of one. */
function rankOf({ label, detail, also = '' }: Entry, words: readonly string[]): number | undefined {
  const name = label.toLowerCase()
  const all = `${name} ${detail.toLowerCase()} ${also}`
  if (!words.every((word) => all.includes(word))) return undefined
  if (name.startsWith(words.join(' '))) return 0
  const parts = all.split(/[\s/._-]+/)
  return words.every((word) => parts.some((part) => part.startsWith(word))) ? 1 : 2
}
