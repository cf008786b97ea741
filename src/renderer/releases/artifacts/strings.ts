import { formatCount, formatCounted } from '../../../shared/wording/format.ts'
import type { ArtifactField, RequiredField } from './artifact.ts'
import type { ImportRemark, ManifestFault } from './imported.ts'
import type { ArtifactWarning } from './warnings.ts'

/** The artifacts of a release: the part of the publish form, and the list of files. */
export const text = {
  dropTitle: 'Add files',
  dropHint:
    'Drop your built files here with their .sig files, a Tauri latest.json, or an electron-builder latest.yml.',
  chooseFiles: 'Choose files',
  importedTitle: 'Imported with warnings',
  warningsTitle: 'Check these files before you publish',
  baseUrl: 'Base URL',
  baseUrlHint: 'The folder that devices download the files from. File names are appended to it.',
  baseUrlExample: 'https://downloads.example.com/editor/1.4.0/',
  baseUrlIssue: 'Enter the http or https URL of the folder that contains the files',
  add: 'Add artifact',
  artifact: (number: number) => `Artifact ${number}`,
  remove: (number: number) => `Remove artifact ${number}`,
  required: 'Required',
  sizeIssue: 'Enter a whole number of bytes',
  urlExample: 'https://downloads.example.com/Editor.dmg',
  sha512Hint: 'Hex or base64',
  notGiven: 'Optional',
  twin: (number: number, first: string, second: string) =>
    first === second
      ? `Artifact ${number} already serves ${first}. Remove one of them.`
      : `Artifact ${number} already serves these devices: ${first} and ${second} are the same. Remove one of them.`,
  listedIn: (entry: string, manifest: string) => `${entry} in ${manifest}`,
  archAssumed: 'architecture assumed',
  detected: 'Platform and architecture detected from the file name',
  chooseArch: 'Platform detected from the file name. Choose the architecture.',
  choosePlatform: 'Architecture detected from the file name. Choose the platform.',
  chooseBoth: 'Choose the platform and the architecture',
  hashing: (done: string, size: string) => `Computing SHA-512: ${done} of ${size}`,
  hashOf: (file: string) => `SHA-512 of ${file}`,
  hashCancelled: (file: string) => `SHA-512 of ${file} not computed`,
  hashFailed: (file: string, reason: string) =>
    `Could not compute the SHA-512 of ${file}: ${reason}`,
  computeHash: 'Compute SHA-512',
  cancel: 'Cancel',
  workerFailed: 'the background task did not start',
  files: 'Files',
  file: 'File',
  devices: 'Devices',
  size: 'Size',
  signature: 'Signature',
  signed: 'Signed',
  unsigned: 'None',
} as const

/** The labels of an artifact's fields. */
export const FIELD_LABELS: Readonly<Record<ArtifactField, string>> = {
  platform: 'Platform',
  arch: 'Architecture',
  url: 'URL',
  size: 'Size in bytes',
  sha512: 'SHA-512',
  signature: 'Signature',
}

const FIELD_NAMES: Readonly<Record<RequiredField, string>> = {
  platform: 'platform',
  arch: 'architecture',
  url: 'URL',
  sha512: 'SHA-512',
}

const FAULTS: Readonly<Record<ManifestFault, string>> = {
  not_json: 'The file is not valid JSON.',
  not_tauri: 'Not a Tauri manifest: it needs a version and a URL for each platform.',
  not_electron_builder:
    'Not an electron-builder manifest: it needs a version and files with url and sha512.',
}

/** Returns what an import left out, replaced or lacks, as a sentence. */
export function remarkSentence(remark: ImportRemark): string {
  switch (remark.code) {
    case 'unreadable':
      return `${remark.file}: ${FAULTS[remark.fault]}`
    case 'not_downloaded':
      return `${remark.file} was skipped. Devices do not download it.`
    case 'unknown_platform':
      return `${remark.manifest}: ${remark.entry} was skipped. Its platform is unknown.`
    case 'target_taken': {
      const { manifest, entry, by, target } = remark
      return `${manifest}: ${entry} was skipped. ${by} already serves ${target}.`
    }
    case 'missing': {
      const { manifest, field, count, total } = remark
      const where =
        count === total
          ? 'all artifacts'
          : `${formatCount(count)} of ${formatCounted(total, 'artifact')}`
      return `${manifest}: ${where} ${count === 1 && total > 1 ? 'has' : 'have'} no ${FIELD_NAMES[field]}.`
    }
    case 'replaced':
      return `${remark.by} replaced ${remark.file}.`
    case 'signature_waits':
      return `${remark.file}.sig is used once you add ${remark.file}.`
  }
}

/** Returns what is suspicious about the files of version `version`, as a sentence. */
export function warningSentence(
  warning: Exclude<ArtifactWarning, { code: 'unsigned' }>,
  version: string,
): string {
  const release = version.trim() === '' ? 'the other files' : `version ${version.trim()}`
  switch (warning.code) {
    case 'manifest_version':
      return `${warning.manifest} is for version ${warning.found}, not ${release}.`
    case 'file_version':
      return `${warning.file} looks like version ${warning.found}, not ${release}.`
    case 'hash_differs':
      return `${warning.file} is not the file that ${warning.manifest} describes: their SHA-512 differs.`
    case 'empty_file':
      return `${warning.file} is empty.`
    case 'not_an_installer':
      return `${warning.file} does not look like an installer or an update archive.`
  }
}
