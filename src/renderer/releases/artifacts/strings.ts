import type { ArtifactField } from '../../../shared/artifacts/artifact.ts'

export const text = {
  dropTitle: 'Add files',
  dropHint:
    'Drop your built files here with their .sig files, a Tauri latest.json, an electron-builder latest.yml, or the RELEASES file of Squirrel or releases.*.json of Velopack.',
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
  hashing: (done: string, size: string | undefined) =>
    `Computing SHA-512: ${size === undefined ? done : `${done} of ${size}`}`,
  otherSize: 'The file does not have the size that is given. Correct the size, or clear it.',
  downloadEnded: 'the server ended the download',
  hashOf: (file: string) => `SHA-512 of ${file}`,
  hashCancelled: (file: string) => `SHA-512 of ${file} not computed`,
  hashFailed: (file: string, reason: string) =>
    `Could not compute the SHA-512 of ${file}: ${reason}`,
  computeHash: 'Compute SHA-512',
  cancel: 'Cancel',
  uploadFiles: 'Upload files to this server',
  uploadFilesHint: 'Devices then download them from here. Files that have a URL are not uploaded.',
  uploading: (done: string, size: string) => `Uploading: ${done} of ${size}`,
  storing: (size: string) => `Uploaded ${size}. Storing…`,
  uploadOf: (file: string) => `Upload of ${file}`,
  uploadCancelled: (file: string) => `${file} not uploaded`,
  uploadFailed: (file: string, reason: string) => `Could not upload ${file}: ${reason}`,
  resumeUpload: 'Resume upload',
  workerFailed: 'the background task did not start',
  files: 'Files',
  file: 'File',
  devices: 'Devices',
  size: 'Size',
  signature: 'Signature',
  floor: 'Minimum OS',
  needs: (floor: string) => `Minimum OS: ${floor}`,
  unchecked: 'Not checked',
  unsigned: 'None',
} as const

/** `linux x86_64 deb`; the kind only if it is given. */
export function targetInWords({
  platform,
  arch,
  kind,
}: {
  readonly platform: string
  readonly arch: string
  readonly kind: string
}): string {
  return [platform, arch, kind].filter((part) => part !== '').join(' ')
}

/** The labels of an artifact's fields. */
export const FIELD_LABELS: Readonly<Record<ArtifactField, string>> = {
  platform: 'Platform',
  arch: 'Architecture',
  kind: 'Kind',
  url: 'URL',
  size: 'Size in bytes',
  sha512: 'SHA-512',
  signature: 'Signature',
}
