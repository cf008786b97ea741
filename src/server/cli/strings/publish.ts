import type { Disagreement } from '../../../shared/artifacts/disagreement.ts'
import { artifactTarget } from '../../../shared/artifacts/target.ts'
import { type Sentences, say } from '../../../shared/coded.ts'
import { disagreementSentence, type StagedManifest } from '../../../shared/wording/artifacts.ts'
import {
  formatCount,
  formatCounted,
  formatDuration,
  formatList,
  formatSize,
} from '../../../shared/wording/format.ts'
import type { Difference } from '../publish/differences.ts'
import type { UploadProblem } from '../publish/uploads.ts'

const MEMBERS = {
  ...{ url: 'URL', sha512: 'SHA-512', size: 'size', signature: 'signature' },
  details: 'members of the manifest',
} as const

export const text = {
  description: 'Publish a release, which cannot be edited afterwards',
  version: 'Version, such as 1.4.0 (default: that of the manifest)',
  from: 'Manifest of the build: latest.json of Tauri, latest*.yml of electron-builder, an appcast of Sparkle, RELEASES of Squirrel, or releases.*.json of Velopack; repeatable',
  file: 'Built file for a platform and architecture, such as windows/x86_64=Editor-setup.exe or linux/x86_64/deb=editor.deb; repeatable',
  urlBase: 'URL of the folder that devices download the files from',
  upload: 'Upload the built files to the server, which devices then download them from',
  artifact: 'platform=…,arch=…[,kind=…],url=…,sha512=…[,size=…][,signature=…]; repeatable',
  artifactsFile: 'JSON file with an array of artifacts',
  verifyUrls: 'Download every file and compare its size and SHA-512 before publishing',
  urlTimeout: (seconds: number) =>
    `Seconds without data after which a download fails (default: ${seconds})`,
  urlTimeoutRange: 'must be 1 to 3600',
  notes: 'Release notes: a file, a section such as CHANGELOG.md#1.4.0, or - for stdin',
  rollout: 'Rollout percentage, 0 to 100, or manifest for its stagingPercentage (default: 100)',
  targets: 'Label of the devices to target; repeatable (default: all devices)',
  targetsFile: 'JSON file with the targets',
  strict: 'Publish nothing if there is a warning',
  ifExists:
    'If the version exists: fail, or succeed if it has the same notes and files (default: fail)',

  fileForm:
    'It must have the form platform/arch=path or platform/arch/kind=path, such as windows/x86_64=Editor-setup.exe.',
  wrongName: (name: string, reason: string) => `"${name}" ${reason}.`,
  targetForm: 'It must have the form key=value.',
  targetsTwice: '--targets and --targets-file cannot be used together',
  wrongTargets: (path: string, reason: string) => `--targets: ${path} ${reason}`,
  nothing: 'specify what to publish with --from, --file, --artifact or --artifacts-file',
  needsVersion: 'specify the version after the channel; only manifests contain one',
  wrongVersion: (version: string, reason: string) =>
    `the version ${version} of the manifest ${reason}`,
  wrongBase: (base: string) =>
    `--url-base ${base}: must be the http or https URL of the folder that contains the files`,
  twoFiles: (target: Parameters<typeof artifactTarget>[0], first: string, second: string) =>
    `--file names two files for ${artifactTarget(target)}: ${first} and ${second}; give one of them a kind, such as linux/x86_64/deb=…`,
  needsBase: (file: string) =>
    `${file} has no URL; specify the folder that devices download it from with --url-base`,
  needsHash: (file: string) =>
    `${file} has no SHA-512; put the built file next to the manifest, name it with --file, or use --verify-urls to compute it from the upload`,
  wrongArtifact: (file: string, member: string, reason: string) => `${file}: ${member} ${reason}`,
  manyArtifacts: (maximum: number, given: number) =>
    `a release can have at most ${maximum} artifacts, not ${given}`,
  unreadable: (option: string, reason: string) =>
    `${option}: the file cannot be read (${reason}); check the path`,
  notAManifest: (file: string, reason: string) => `--from ${file}: ${reason}`,
  otherManifest: (first: string, version: string, other: string, found: string) =>
    `${first} is for version ${version}, but ${other} is for ${found}; publish one version at a time`,
  disagreement: (disagreement: Disagreement) =>
    `${disagreementSentence(disagreement)} Give the files different names, or publish the manifests of one build.`,
  nameArch: (platform: string, file: string) =>
    `To choose the architecture, pass --file ${platform}/<arch>=<path of ${file}>; the architecture any is for all.`,
  notStaged: '--rollout manifest: no manifest has a stagingPercentage below 100',
  stagedOtherwise: (first: StagedManifest, other: StagedManifest) =>
    `--rollout manifest: ${first.manifest} has the stagingPercentage ${first.percentage}, but ${other.manifest} has ${other.percentage}; choose one rollout for all files`,
  fractionStaged: ({ manifest, percentage }: StagedManifest) =>
    `${manifest} has the stagingPercentage ${percentage}, which electron-updater reads as ${Math.trunc(percentage)}%; choose the rollout as a whole number, such as --rollout 10 for 10%`,
  chooseRollout: ({ manifest, percentage }: StagedManifest) =>
    `${manifest} limits the release to ${percentage}% of devices; choose its rollout with --rollout ${percentage}, or --rollout manifest`,
  strictWarnings: (warnings: readonly string[]) =>
    `nothing was published, because of ${formatCounted(warnings.length, 'warning')} (--strict): ${warnings.join(' ')}`,
  otherSignature: (file: string, manifest: string) =>
    `${file}.sig is not the signature that ${manifest} has; use files of one build`,
  otherPackage: (file: string) =>
    `${file} is not the package whose SHA-1 its list has, so updaters would refuse it; publish the files of one build`,

  wrongNotes: (source: string, reason: string) => `--notes ${source}: ${reason}`,
  notUtf8: 'is not valid UTF-8',
  noSection: (file: string, name: string, versions: readonly string[]) => {
    const found = versions.slice(0, 5)
    const what = found.length === 0 ? 'no versions' : formatList(found)
    return `--notes ${file}: no section "${name}"; its headings have ${what}`
  },
  emptySection: (file: string, heading: string) =>
    `--notes ${file}: the section "${heading}" is empty`,

  verified: (url: string, bytes: number) => `Verified ${url} (${formatSize(bytes)})`,
  uploadProblem: (url: string, problem: UploadProblem) => `${url} ${say(UPLOAD_PROBLEMS, problem)}`,
  notVerified: (problems: readonly string[], total: number) =>
    `nothing was published, because ${problems.length} of ${formatCounted(total, 'upload')} failed the check: ${problems.join('; ')}`,

  uploadOrBase:
    '--upload and --url-base cannot be used together; the server says where its files are',
  nothingToUpload: (file: string) =>
    `${file} cannot be uploaded; put the built file next to the manifest, or name it with --file`,
  otherBlockMap: (map: string, file: string) =>
    `${map} is not the block map of ${file}, so it is not uploaded; the server makes another one`,
  uploaded: (url: string, bytes: number) => `Uploaded ${url} (${formatSize(bytes)})`,
  alreadyUploaded: (url: string) => `Already on the server: ${url}`,

  noArtifacts: 'This release has no artifacts, so it is not offered to any device.',
  awaitsProof: (version: string) =>
    `${version} is paused until its artifacts are proven, and is then published. Wait for that with "release prove".`,
  sameExists: (version: string) =>
    `${version} already exists with the same notes and files. Nothing was changed.`,
  differs: (place: string, version: string, differences: readonly string[]) =>
    `${version} already exists on ${place} and differs: ${differences.join('; ')}. Releases cannot be changed, so publish a new version`,
  difference: (difference: Difference): string => say(DIFFERENCES, difference),
  wasRolledBack: (place: string, version: string) =>
    `${version} already exists on ${place} and was rolled back; publish a new version`,
} as const

const DIFFERENCES: Sentences<Difference> = {
  notes: () => 'the notes',
  documents: () => 'the documents that are served unchanged',
  missing: ({ target }) => `it has no file for ${target}`,
  additional: ({ target }) => `it also has a file for ${target}`,
  artifact: ({ members, target }) =>
    `${formatList(members.map((member) => MEMBERS[member]))} of ${target}`,
}

const UPLOAD_PROBLEMS: Sentences<UploadProblem> = {
  status: ({ status }) => `answered with status ${status}`,
  size: ({ found, expected }) => `has ${found} bytes instead of ${expected}`,
  longer: ({ expected }) => `has more than ${expected} bytes`,
  sha512: () => 'has another SHA-512',
  empty: () => 'is empty',
  page: () => 'is a web page, not a file; use the address that downloads it',
  silent: ({ seconds }) => `sent nothing for ${formatDuration(seconds, 'second')}`,
  unreachable: ({ reason }) => `cannot be downloaded (${reason})`,
}

export const fileText = {
  description: 'Manage the built files that the server stores',
  list: 'List stored files and the space that they take',
  delete: 'Delete a stored file that is not used',
  uploads: 'List unfinished uploads and how much of each has arrived',
  cancel: 'Delete an unfinished upload',
  uploadId: 'ID of the upload, as in `file uploads`',
  sha512: 'SHA-512 of the file, or its first 32 digits as in its address',

  headings: ['NAME', 'SIZE', 'USES', 'STORED', 'SHA-512'],
  none: 'No stored files',
  uploadHeadings: ['NAME', 'ARRIVED', 'UPLOADED BY', 'LAST PROGRESS', 'ID'],
  noUploads: 'No unfinished uploads',
  arrived: (offset: number, size: number) => `${formatSize(offset)} of ${formatSize(size)}`,
  canceled: (id: string) => `Deleted upload ${id}.`,
  size: formatSize,
  uses: formatCount,
  total: (files: number, bytes: number, quotaBytes: number | null) => {
    const used = `${formatCounted(files, 'file')}, ${formatSize(bytes)}`
    return quotaBytes === null ? used : `${used} of ${formatSize(quotaBytes)}`
  },
  patches: (bytes: number) => `Patches between files: ${formatSize(bytes)}, besides the quota`,
  deleted: (name: string, bytes: number) => `Deleted ${name} (${formatSize(bytes)}).`,
} as const
