import { artifactTarget } from '../../../shared/artifacts/target.ts'
import type { ArtifactProof, ArtifactProofState } from '../../../shared/files/proof.ts'
import type { UpdaterClient } from '../../../shared/files/updater.ts'
import {
  HEALTH_STATES,
  judgedOf,
  type ReleaseHealth,
  type ReleaseHealthReport,
} from '../../../shared/health/health.ts'
import type { PreflightFinding, PreflightReport } from '../../../shared/releases/preflight.ts'
import type { ReleaseStatus } from '../../../shared/releases/release.ts'
import type {
  CheckedFile,
  CheckedTarget,
  ReleaseCheckCode,
} from '../../../shared/releases/release-check.ts'
import { systemInWords } from '../../../shared/wording/artifacts.ts'
import {
  formatCount,
  formatCounted,
  formatDuration,
  formatList,
  formatPercent,
  formatSize,
  formatSpan,
} from '../../../shared/wording/format.ts'
import { CRASH_FREE, HEALTH_LABELS, sessionsInWords } from '../../../shared/wording/judgement.ts'
import {
  downloadInWords,
  findingInWords,
  PREFLIGHT_FIXES,
  placeInWords,
  preflightCounts,
  preflightVerdict,
  runningInWords,
} from '../../../shared/wording/preflight.ts'
import { proofFailureSentence, SIGNATURE_FINDINGS } from '../../../shared/wording/proof.ts'
import { CLIENT_NAMES } from '../../../shared/wording/updater-client.ts'

const NOTHING_INSTALLED = 'no file of a kind that it installs'

const REASONS: Readonly<Record<Exclude<ReleaseCheckCode, 'not_installed'>, string>> = {
  unsigned: 'no signature',
  signature_form: 'signature in another format',
  delta: 'delta package of an unknown one',
  delta_base: 'delta package of one that no other release on the channel has',
  needed_file_missing: 'not without a file that it installs',
  another_first: 'another file is offered first',
}

const check = {
  description:
    'Show which files of a release each updater is offered, and why not, without looking at devices',
  client: (clients: readonly string[]) =>
    `Check only this client: ${clients.join(', ')}; repeatable (default: all but update_check, which hands out any file)`,
  headings: ['CLIENT', 'PLATFORM', 'ARCH', 'DOWNLOAD', 'OFFERED'],
  row: ({ client, platform, arch, offered, notOffered, floors, document }: CheckedTarget) => {
    const files = offered.map(named).join(', ') || `Nothing (${reasonsOf(notOffered)})`
    const signed = document === undefined ? [] : [`${document} unchanged`]
    const older = floors.map(
      ({ below, version }) => `below ${systemInWords(platform, below)}: ${version ?? 'nothing'}`,
    )
    const rest = [files, ...signed, ...older].join('; ')
    return [CLIENT_NAMES[client], platform, arch, downloadOf(offered), rest]
  },
  floors:
    'Devices that do not say which operating system they run are offered the files whatever it is.',
  empty: 'No files to offer to these clients.',
  notPublished: (version: string, status: ReleaseStatus) =>
    `${version} is ${status.replaceAll('_', ' ')}, so it is not offered now.`,
  unoffered: (files: readonly CheckedFile[], clients: readonly UpdaterClient[] | undefined) => {
    const names = clients?.map((client) => CLIENT_NAMES[client])
    const to = names === undefined ? 'any updater' : formatList(names, 'or')
    return `${formatCounted(files.length, 'file is', 'files are')} not offered to ${to}: ${formatList(files.map(named))}`
  },
} as const

/** Files of other updaters are to be expected, and go without saying beside one that lacks something. */
function reasonsOf(files: CheckedTarget['notOffered']): string {
  const lacking = files.flatMap((each) =>
    each.code === 'not_installed' ? [] : [`${named(each)}: ${REASONS[each.code]}`],
  )
  return lacking.length === 0 ? NOTHING_INSTALLED : lacking.join('; ')
}

/** Of the file that a device gets which says nothing about its bundle; null if it gets none. */
function downloadOf([first]: CheckedTarget['offered']): string | null {
  if (first === undefined) return null
  return first.size === 0 ? 'unknown' : formatSize(first.size)
}

function named({ file, kind }: CheckedFile): string {
  return kind === '' ? file : `${file} (${kind})`
}

const STATES: Readonly<Record<ArtifactProofState, string>> = {
  unproven: 'not proven',
  queued: 'queued',
  running: 'running',
  proven: 'proven',
  failed: 'failed',
}

const prove = {
  description: 'Download the artifacts of a release and compare them with what was published',
  timeout: 'Time after which to give up, such as 90s, 30m, 2h or 1d (default: 2h)',
  headings: ['PLATFORM', 'ARCH', 'KIND', 'STATE', 'CHECKED', 'DETAILS'],
  empty: 'This release has no artifacts.',
  state: (state: ArtifactProofState) => STATES[state],
  details: ({ state, failure, signature }: ArtifactProof) => {
    if (state === 'failed' && failure !== null) return proofFailureSentence(failure)
    return state === 'proven' && signature !== null ? SIGNATURE_FINDINGS[signature] : null
  },
  progress: (artifact: ArtifactProof) => {
    const { read = 0, total = 0 } = artifact.progress ?? {}
    const share =
      total === 0 ? '' : ` of ${formatSize(total)} (${formatPercent((read / total) * 100)})`
    return `${artifactTarget(artifact)}: ${formatSize(read)}${share}`
  },
  ended: (proof: ArtifactProof) => `${artifactTarget(proof)}: ${STATES[proof.state]}`,
  failed: (failed: number, artifacts: number, version: string) =>
    `${failed} of ${formatCounted(artifacts, 'artifact')} of ${version} not proven`,
  timedOut: (version: string, seconds: number) =>
    `${version} was not proven within ${formatDuration(seconds, 'second')}`,
  resumed: (version: string) => `${version} was paused until proven, and is published now.`,
} as const

const health = {
  description: 'Show what became of the devices that were offered a release',
  state: 'DEVICES',
  before: ({ version, ageHours }: { version: string; ageHours: number }) =>
    `${version} AFTER ${ageHours} H`,
  rows: (health: ReleaseHealth): [string, string][] => [
    ['Offered', formatCount(health.offered)],
    ...HEALTH_STATES.map((state): [string, string] => [
      HEALTH_LABELS[state],
      formatCount(health[state]),
    ]),
  ],
  summary: ({
    health,
    counted,
    newDevices,
    failureShare,
    timeToAdopt,
    sessions,
  }: ReleaseHealthReport) => [
    `Counts in plans: ${formatCounted(counted.offered, 'device')}; new devices: ${formatCount(newDevices.offered)}`,
    `Failure share: at least ${formatPercent(failureShare * 100)} of ${formatCounted(judgedOf(health), 'device')} with a known outcome`,
    ...(timeToAdopt === null
      ? []
      : [
          `Time to adopt: median ${formatSpan(timeToAdopt.medianSeconds)}, 90% within ${formatSpan(timeToAdopt.p90Seconds)}`,
        ]),
    ...(sessions === null ? [] : [`${CRASH_FREE}: ${sessionsInWords(sessions)}`]),
  ],
} as const

export const text = {
  description: 'List, check and prove releases, and plan their rollouts',

  check,
  prove,
  health,

  preflight: {
    description:
      'Check that the devices of a channel can install a release or draft before it is offered',
    strict: 'Fail on warnings, too',
    uplink: 'Megabits a second that downloads leave the studio with, to say how long they take',
    headings: ['', 'CODE', 'DEVICES', 'RUNNING', 'ON', 'WHAT', 'FIX'],
    row: (finding: PreflightFinding) => [
      ...[finding.severity, finding.code, formatCount(finding.devices), runningInWords(finding)],
      placeInWords(finding),
      findingInWords(finding),
      finding.accepted === undefined
        ? PREFLIGHT_FIXES[finding.code]
        : `Accepted: ${finding.accepted}`,
    ],
    summary: (report: PreflightReport) => [
      preflightVerdict(report),
      preflightCounts(report),
      `${formatCounted(report.releasedVersions, 'version was', 'versions were')} checked that no device runs.`,
    ],
    failed: preflightVerdict,
    download: downloadInWords,
  },

  list: {
    description: 'List releases, latest first',
    channel: 'Only releases on this channel of the app',
    perPage: 'Releases per page, 1 to 100 (default: 20)',
    headings: ['APP', 'CHANNEL', 'VERSION', 'STATUS', 'ROLLOUT', 'OFFERED', 'ARTIFACTS', 'CREATED'],
    rollout: (percent: number) => formatPercent(percent),
    offered: 'yes',
    notOffered: 'no',
    empty: 'No releases found. Publish one with "publish".',
    pages: (page: number, pageCount: number, releases: number) =>
      `Page ${page} of ${pageCount}, ${formatCounted(releases, 'release')} in total`,
  },

  artifactForm: 'It must have the form platform=darwin,arch=aarch64,url=https://…,sha512=….',
  unknownMember: (name: string, known: readonly string[]) =>
    `${name} is not one of ${known.join(', ')}. Write a comma in a URL as %2C.`,
  repeatedMember: (name: string) => `It must have only one ${name}.`,
  wrongMember: (problem: string) => `${problem}.`,

  file: {
    problem: (option: string, file: string, problem: string) => `${option} ${file}: ${problem}`,
    notUtf8: 'is not valid UTF-8; save it as UTF-8',
    notJson: (reason: string) => `is not valid JSON (${reason})`,
  },
} as const
