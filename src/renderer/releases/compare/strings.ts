import type { ReleaseOnChannel } from '../../../shared/console/releases/releases.ts'
import { formatCount, formatCounted } from '../../../shared/wording/format.ts'
import type { ArtifactPart, ChangeKind } from './changes.ts'

export const text = {
  releases: 'Releases',
  title: 'Compare',
  pageName: (version: string, place: string) => `Compare ${version} on ${place}`,
  with: 'Compare with',
  searchHint: 'Version or channel',
  noChoice: 'No results',
  choice: ({ channel, version }: ReleaseOnChannel) => `${version} on ${channel}`,
  swap: 'Swap releases',
  changes: (from: string, to: string) => `Changes from ${from} to ${to}`,
  noneBeforeTitle: 'Choose a release to compare with',
  noneBefore: (version: string, place: string) =>
    `No lower version than ${version} was published on ${place} before it.`,
  chooseOther: (hint: string) => `${hint} Choose another release.`,

  release: 'Release',
  detail: 'Detail',
  change: 'Change',
  channel: 'Channel',
  status: 'Status',
  rollout: 'Rollout',
  offered: 'Offered at least once',
  yes: 'Yes',
  notYet: 'Not yet',
  published: 'Published',
  devices: 'Devices on this version',
  none: 'None',

  targets: 'Targets',
  allDevices: 'Both releases target all devices.',
  targetsAll: (release: string) => `${release} targets all devices.`,

  artifacts: 'Artifacts',
  artifact: 'Artifact',
  noArtifacts: 'Neither release has artifacts.',
  sameArtifacts: (names: readonly string[]) => `Unchanged: ${names.join(', ')}`,

  notes: 'Release notes',
  noNotes: 'Neither release has release notes.',
  sameNotes: 'The release notes are the same.',
  linesChanged: (added: number, removed: number) =>
    `${formatCounted(added, 'line')} added, ${formatCounted(removed, 'line')} removed`,
  coarse:
    'The release notes differ too much to be compared line by line. The part that differs is shown as removed and added.',
  showLines: (count: number) => `Show ${formatCounted(count, 'unchanged line')}`,

  nothingChanged: 'No changes',
} as const

/** The mark of a change. */
export const KIND_WORDS: Readonly<Record<ChangeKind, string>> = {
  added: 'Added',
  removed: 'Removed',
  changed: 'Changed',
  same: 'Unchanged',
}

export const PART_WORDS: Readonly<Record<ArtifactPart, string>> = {
  url: 'URL',
  size: 'Size',
  sha512: 'SHA-512',
  signature: 'Signature',
  details: 'From its manifest',
}

/** Returns counts of changes in one line: `1 added, 2 changed`. */
export function countsInWords(counts: readonly (readonly [ChangeKind, number])[]): string {
  if (counts.length === 0) return text.nothingChanged
  return counts
    .map(([kind, count]) => `${formatCount(count)} ${KIND_WORDS[kind].toLowerCase()}`)
    .join(', ')
}

/** Returns how each of two releases is called beside the other: their channels only where these differ. */
export function namesOf(from: ReleaseOnChannel, to: ReleaseOnChannel): [from: string, to: string] {
  if (from.channel === to.channel) return [from.version, to.version]
  return [text.choice(from), text.choice(to)]
}
