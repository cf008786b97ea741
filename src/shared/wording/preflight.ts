import type { PreflightFinding, PreflightReport } from '../releases/preflight.ts'
import type { PreflightCode, PreflightNotice } from '../releases/preflight-policy.ts'
import { systemInWords } from './artifacts.ts'
import { formatCount, formatCounted, formatSize, formatSpan } from './format.ts'
import { CLIENT_NAMES } from './updater-client.ts'

type Facts = Pick<PreflightFinding, 'platform' | 'arch' | 'expected' | 'found' | 'file'>

/** What each finding says, in a few words. */
const TITLES: Readonly<Record<PreflightCode, (facts: Facts) => string>> = {
  no_file: ({ file }) => (file === undefined ? 'no file' : `file of another kind: ${file}`),
  unsigned: () => 'no signature',
  signature_form: () => 'signature in another format',
  signed_for_other_version: ({ found }) => `signed for ${found}`,
  feed_unreadable: () => 'unreadable feed',
  version_unreadable: ({ found }) => `version read as ${found || 'nothing'}`,
  version_not_above: ({ found, expected }) =>
    expected === undefined ? 'version not above' : `version ${found} not above ${expected}`,
  version_mismatch: ({ found, expected }) => `feed has ${found} in place of ${expected}`,
  wrong_file: ({ file }) => `takes ${file}, which is for another architecture`,
  checksum_missing: ({ file }) => `no checksum of ${file}`,
  dead_end: ({ found }) => `no way on from ${found}`,
  below_minimum: ({ expected }) => `below the minimum supported version ${expected}`,
  file_failed: ({ found, file }) => `${file} not proven: ${found?.replaceAll('_', ' ')}`,
  version_inside: ({ found }) => `version inside is ${found}`,
  arch_inside: ({ found }) => `program inside is for ${found}`,
  minisign_key_changed: () => 'minisign key changed',
  publisher_changed: () => 'publisher changed',
  team_changed: () => 'Apple team changed',
  updater_missing: () => 'no update configuration inside',
  feed_changed: ({ found }) => `asks ${found} from then on`,
  signature_broken: () => 'changed after it was signed',
  system_too_old: ({ platform, expected = '' }) => `minimum ${systemInWords(platform, expected)}`,
  system_unknown: ({ platform, expected = '' }) =>
    `minimum ${systemInWords(platform, expected)}, which may be above theirs`,
  floor_ignored: ({ found }) => `minimum system ${found} is ignored`,
  staged_by_document: ({ found }) => `limited to ${found} by the publisher's document`,
  no_way_back: ({ found }) =>
    found === 'updater' ? 'the updater cannot downgrade' : 'no release to go back to',
}

/** What fixes each finding. */
export const PREFLIGHT_FIXES: Readonly<Record<PreflightCode, string>> = {
  no_file: 'Add a file for these devices, or change the targets of the release.',
  unsigned: 'Sign the file or document, and publish its signature.',
  signature_form: 'Publish the signature as the build tool of this updater writes it.',
  signed_for_other_version: 'Sign the file again for this version.',
  feed_unreadable: 'Publish the document again as the build tool wrote it.',
  version_unreadable: 'Choose a version that this updater can read.',
  version_not_above: 'Choose a higher version.',
  version_mismatch: 'Publish the document of this version.',
  wrong_file: 'Name the architecture in the file name, as the build tool does.',
  checksum_missing: 'Publish the manifest with checksums.',
  dead_end: 'Publish a release that these devices can install and that leads further.',
  below_minimum: 'Lower the minimum supported version of the channel.',
  file_failed: 'Upload the file that was published, and prove the release.',
  version_inside: 'Build the file again with the version of the release.',
  arch_inside: 'Publish the file for the architecture that it was built for.',
  minisign_key_changed: 'Sign the file with the key that the installed apps trust.',
  publisher_changed:
    'Sign with the earlier certificate, or first release a version that accepts both publishers.',
  signature_broken: 'Sign the file as the last step of the build.',
  team_changed: 'Sign with the certificate of the earlier team.',
  updater_missing: 'Build with the configuration of updates.',
  feed_changed: 'Build with the address of this server and channel.',
  system_too_old: 'Keep an earlier release published for these devices, or lower the minimum.',
  system_unknown: 'Send the label os from the app, or keep an earlier release published.',
  floor_ignored: 'Publish the version of the kernel in three numbers, such as 23.1.0.',
  staged_by_document: 'Build the document without a percentage.',
  no_way_back: 'Roll forward with a higher version in place of a rollback.',
}

/** Returns what a finding says, in a few words. */
export function findingInWords(finding: Facts & Pick<PreflightFinding, 'code'>): string {
  return TITLES[finding.code](finding)
}

/** Returns what preflight says against a change of a version. */
export function preflightInShort(
  says: 'fails' | 'warns',
  { version, refusing, findings }: PreflightNotice & { readonly version: string },
): string {
  return `${version}: preflight ${says} (${findings.join(', ')}); ${formatCounted(refusing, 'known device')} would not install it. Run "tidegate preflight" for details`
}

/** Returns what a report says in one sentence. */
export function preflightVerdict({
  refusing,
  findings,
  devices,
  version,
}: PreflightReport): string {
  if (findings.length === 0) return `${version} passes for ${formatCounted(devices, 'device')}.`
  if (refusing === 0) {
    const { length } = findings
    return `No known device will refuse ${version}. ${formatCounted(length, 'finding')} to look at.`
  }
  const causes = new Map<string, number>()
  for (const finding of findings) {
    if (finding.devices === 0 || !isRefusal(finding)) continue
    const title = findingInWords(finding)
    causes.set(title, (causes.get(title) ?? 0) + finding.devices)
  }
  const listed = [...causes].sort(([, one], [, other]) => other - one)
  const named = listed.map(([title, count]) => `${title} (${formatCount(count)})`)
  return `${formatCounted(refusing, 'device')} will refuse ${version}: ${named.join(', ')}`
}

function isRefusal({ code, severity }: PreflightFinding): boolean {
  return severity === 'fail' || code === 'system_too_old'
}

/** Returns the version of most devices of a finding, and how many others there are. */
export function runningInWords({ versions, versionCount }: PreflightFinding): string {
  const [most] = versions
  const more = versionCount - 1
  return `${most?.version ?? ''}${more > 0 ? ` and ${formatCounted(more, 'other')}` : ''}`
}

/** Returns the updater and the system of a finding. */
export function placeInWords({ client, platform, arch }: PreflightFinding): string {
  return [...(client === null ? [] : [CLIENT_NAMES[client]]), platform, arch].join(' ')
}

/**
 * Returns what the files of a release cost to download, in full and where only changes are; with `uplink`, in megabits a
 * second, also how long they take to be sent.
 */
export function downloadInWords({ download }: PreflightReport, uplink?: number): string {
  const { devices, bytes, changed } = download
  const both = (words: (count: number) => string) =>
    changed < bytes ? `${words(bytes)} (changes only: ${words(changed)})` : words(bytes)
  const cost = `${formatCounted(devices, 'device')} will download ${both(formatSize)} in all`
  if (uplink === undefined) return `${cost}.`
  const time = both((count) => formatSpan((count * 8) / (uplink * 1_000_000)))
  return `${cost}. At ${formatCount(uplink)} Mbit/s, that takes ${time}.`
}

/** Returns what becomes of the devices of a report in one sentence. */
export function preflightCounts(report: PreflightReport): string {
  const { reaching, beyond, notTargeted, unknown } = report
  const parts = [
    `${formatCounted(reaching, 'device')} will install it`,
    ...(beyond > 0 ? [`${formatCount(beyond)} already have it or a later one`] : []),
    ...(notTargeted > 0 ? [`${formatCount(notTargeted)} are not targeted`] : []),
    ...(unknown > 0 ? [`${formatCount(unknown)} are unknown`] : []),
  ]
  return `${parts.join(', ')}.`
}
