import type { ProvingPolicy } from '../../../shared/files/proof.ts'
import type { PublishBody } from '../../../shared/releases/release.ts'
import { isEveryDevice } from '../../../shared/releases/targets.ts'
import type { VersionVerdict } from '../../../shared/releases/version-verdict.ts'
import { formatCount, formatPercent } from '../../../shared/wording/format.ts'
import { oddVersionSentence } from '../../../shared/wording/version-verdict.ts'
import { STATUS_WORDS } from '../../components/strings.ts'
import { stepsInWords } from '../plans/strings.ts'
import { targetsLine } from '../targets/strings.ts'

export const text = {
  title: 'Publish a release',
  releases: 'Releases',
  release: 'Release',
  app: 'App',
  channel: 'Channel',
  version: 'Version',
  versionExample: '1.4.0',
  versionHint: 'A semantic version',
  files: 'Files',
  artifacts: 'Artifacts',
  signedDocuments: 'Manifests that devices get unchanged',
  removeDocument: (name: string) => `Remove ${name}`,
  rollout: 'Rollout',
  targets: 'Targets',
  notInDraft: 'Not saved in drafts',
  saveDraft: 'Save draft',
  draftSaved: (version: string) => `Draft of ${version} saved`,
  draftNotSaved: (version: string) => `Draft of ${version} not saved`,
  savingDraft: (version: string) => `Saving the draft of ${version}…`,
  publish: 'Publish',
  publishVersion: (version: string) => `Publish ${version}`,
  publishing: (version: string) => `Publishing ${version}…`,
  checking: 'No answer from the server. Checking whether it was published…',
  done: (version: string, place: string) => `${version} published on ${place}`,
  failed: (version: string) => `${version} not published`,
  leaveTitle: 'Leave without publishing?',
  leave: 'Discard changes',
  leaveWarning: 'Your changes will be lost.',
  leaveDraftTitle: 'Leave without saving?',
  hashing: 'Computing the SHA-512 of your files. You can publish once it is done.',
  uploading: 'Uploading your files. You can publish once it is done.',
  noFiles: 'Add a file, or save a draft and publish it once it has its files',
  faults: 'Fix the highlighted fields',
  placeMissing: 'Choose an app and a channel',
  required: 'Required',
  notesTooLong: 'Must be at most 64 KiB',
  tooManyArtifacts: (most: number) => `A release can have at most ${formatCount(most)} artifacts`,
  notPermitted: 'Permission required',
  notPermittedHint:
    'Publishing requires the role release manager. Ask an administrator to change your role.',
  showReleases: 'Show releases',
  newApp: 'New app',
  newAppHint: (ref: string) =>
    ref === '' ? 'Named after your files' : `Created with the release. Its reference is ${ref}.`,
  newAppMissing: 'Enter a name of the app with letters or digits',
  copied: (version: string, place: string) =>
    `Copied from ${version} on ${place}: version, notes and artifacts. Rollout and targets start with their defaults.`,
  prove: 'Prove the artifacts now',
  proveHint: 'Downloads them and compares them with what you publish.',
  notProven: (version: string) => `The artifacts of ${version} are not being proven`,
  pausedUntilProven:
    'It is paused until this server has downloaded all artifacts and compared them with what you publish.',
  unchangeable: 'You cannot change the version, notes or artifacts later.',
} as const

/** Returns what publishing a version on `app/channel` would meet. */
export function verdictInWords(verdict: VersionVerdict, place: string): string {
  switch (verdict.state) {
    case 'free':
      return verdict.highest === null
        ? 'Version available'
        : `Version available. Latest version: ${verdict.highest}`
    case 'invalid':
      return `The version ${verdict.reason}`
    case 'duplicate': {
      const status = STATUS_WORDS[verdict.status].toLowerCase()
      return `${verdict.version} already exists on ${place} (${status})`
    }
    default:
      return oddVersionSentence(verdict)
  }
}

/** Returns what publishing will do, a sentence each. */
export function publishInWords(body: PublishBody, proving: ProvingPolicy): string[] {
  const { app, channel, version, rolloutPct, targets, plan } = body
  const place = `${app}/${channel}`
  const sentences: string[] = []
  if (plan !== undefined) {
    sentences.push(
      `${version} will be published on ${place} and rolled out by a plan: ${stepsInWords(plan)}.`,
    )
  } else if (rolloutPct === 0) {
    sentences.push(
      `${version} will be published on ${place}. No device is offered it until you raise the rollout.`,
    )
  } else {
    const share = rolloutPct === 100 ? 'all devices' : `${formatPercent(rolloutPct)} of devices`
    sentences.push(`${version} will be offered to ${share} on ${place}.`)
  }
  if (proving === 'required') sentences.push(text.pausedUntilProven)
  if (!isEveryDevice(targets)) sentences.push(`${targetsLine(targets)}.`)
  sentences.push(text.unchangeable)
  return sentences
}
