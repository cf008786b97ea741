import { isSigned, type SignedDocument } from '../../../shared/files/signed-document.ts'
import {
  formatCount,
  formatCounted,
  formatList,
  formatSize,
} from '../../../shared/wording/format.ts'
import { SIGNATURE_FINDINGS } from '../../../shared/wording/proof.ts'

export const text = {
  releases: 'Releases',
  pageName: (version: string, place: string) => `${version} on ${place}`,
  published: 'Published',
  by: (actor: string) => `by ${actor}`,
  rollout: 'Rollout',
  devices: 'Devices on this version',
  seen: 'Seen in the last 7 days',
  offered: 'Offered at least once',
  yes: 'Yes',
  notYet: 'Not yet',
  history: 'History',
  notes: 'Release notes',
  noNotes: 'No release notes',
  artifacts: 'Artifacts',
  signedDocuments: (documents: readonly SignedDocument[]) =>
    `Served unchanged: ${formatList(documents.map((document) => `${document.name}${isSigned(document) ? ` (${SIGNATURE_FINDINGS[document.checked ? 'valid' : 'unchecked'].toLowerCase()})` : ''}`))}`,
  noArtifacts: 'No artifacts, so no device is offered this release',
  platform: 'Platform',
  arch: 'Architecture',
  kind: 'Kind',
  url: 'URL',
  size: 'Size',
  changedSince: (size: string, version: string) => `${size} from ${version}`,
  sha512: 'SHA-512',
  signature: 'Signature',
  floor: 'Minimum OS',
  notGiven: 'None',
  urlFor: (target: string) => `the URL for ${target}`,
  sha512For: (target: string) => `the SHA-512 for ${target}`,
  signatureFor: (target: string) => `the signature for ${target}`,
  deletedTitle: 'This release no longer exists',
  deletedHint: 'It was deleted together with its app or channel. Below is what was last known.',
  compare: 'Compare releases',
  copy: 'Copy to another channel',
  timeline: 'Timeline',
  rolloutColumn: 'Rollout in %',
  failed: 'Failed devices',
  previous: (version: string) => `${version}, the release before`,
  adoptionCaption:
    'Rollout, devices that checked in with this version, each once a UTC day, and devices that failed, latest first',
  day: 'Day',
  allDevices: 'All devices on the channel',
  expected: 'Expected by the plan',
  expectedHint: (expected: number, devices: number) =>
    `The plan expects the release to be offered to ${formatCounted(expected, 'device')} by the end of today (dashed); ${formatCounted(devices, 'device')} ran it today.`,
  adoptionSummary: (peak: number, today: number, all: number) =>
    `Peak: ${formatCounted(peak, 'device')} a day in the last 30 days. Today: ${formatCount(today)} of ${formatCounted(all, 'device')} that checked in.`,
  adoptionUnknown: 'This version is counted together with other versions.',
  noCurve: 'Only the versions with the most devices have a curve of their own.',
  platforms: 'Devices by platform',
  platformsSummary: (devices: number) => `${formatCounted(devices, 'device')} on this version.`,
  noPlatforms: 'No devices on this version yet',
  noCheckIns: 'No device on this version checked in during the last 30 days.',

  proof: {
    column: 'Proof',
    start: 'Prove artifacts',
    cancel: 'Cancel proof',
    notStarted: (version: string) => `The artifacts of ${version} are not being proven`,
    notCanceled: (version: string) => `The proof of ${version} was not canceled`,
    unproven: 'Not proven yet',
    queued: 'Queued',
    proven: 'Proven',
    failed: 'Not proven',
    progress: 'Download',
    waitTitle: 'Paused until proven',
    wait: 'The channel requires proof. This release resumes by itself once all its artifacts are proven.',
    waitFailed: (failed: number, artifacts: number) =>
      `The channel requires proof, and ${formatCount(failed)} of ${formatCounted(artifacts, 'artifact')} could not be proven. Fix the download, then prove the artifacts again: the release then resumes by itself.`,
    keep: 'Keep paused',
    keepTitle: (version: string) => `Keep ${version} paused`,
    keepEffect: 'The release will not resume by itself. You can resume it once it is proven.',
    kept: (version: string) => `${version} stays paused.`,
    notKept: (version: string) => `${version} still resumes by itself once it is proven`,
  },
  adminRights: 'Needs administrator rights',
} as const

/** Returns how far a download is, such as `12.3 MB of 84.2 MB`. */
export function progressInWords(read: number, total: number): string {
  return total === 0 ? formatSize(read) : `${formatSize(read)} of ${formatSize(total)}`
}
