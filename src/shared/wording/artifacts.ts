import type { RequiredField } from '../artifacts/artifact.ts'
import type { Disagreement } from '../artifacts/disagreement.ts'
import type { ImportRemark, ManifestFault } from '../artifacts/imported.ts'
import type { SignatureFault } from '../artifacts/tauri-signature.ts'
import type { UnofferedFile } from '../artifacts/unoffered.ts'
import type { ArtifactWarning } from '../artifacts/warnings.ts'
import { type Sentences, say } from '../coded.ts'
import { ANY_ARCH, canonicalPlatform } from '../devices/aliases.ts'
import { lowestSystem } from '../devices/system-version.ts'
import { MAX_LIST_BYTES } from '../files/signed-document.ts'
import { formatCount, formatCounted, formatList, formatPercent, formatSize } from './format.ts'

const FIELD_NAMES: Readonly<Record<RequiredField, string>> = {
  platform: 'platform',
  arch: 'architecture',
  url: 'URL',
  sha512: 'SHA-512',
}

/** Why a file is no manifest, as a sentence. */
export const FAULTS: Readonly<Record<ManifestFault, string>> = {
  not_json: 'The file is not valid JSON.',
  not_tauri: 'Not a Tauri manifest: it needs a version and a URL for each platform.',
  not_appcast:
    'Not an appcast whose items have a version and an enclosure, or a signed one with several items.',
  not_packages:
    'Not a RELEASES file of Squirrel, nor a releases.*.json of Velopack: each package needs a semantic version, its SHA-1 and its size.',
  not_electron_builder:
    'Not an electron-builder manifest: it needs a version and files with url and sha512.',
}

/** Returns what an import left out, replaced or lacks, as a sentence. */
export function remarkSentence(remark: ImportRemark): string {
  return say(REMARKS, remark)
}

const REMARKS: Sentences<ImportRemark> = {
  unreadable: ({ file, fault }) => `${file}: ${FAULTS[fault]}`,
  not_downloaded: ({ file }) => `${file} was skipped. Devices do not download it.`,
  not_kept: ({ manifest, members }) =>
    `${manifest} has ${formatList(members)}, which Tidegate does not keep or serve.`,
  unknown_platform: ({ manifest, entry }) =>
    `${manifest}: ${entry} was skipped. Its platform is unknown.`,
  target_taken: ({ manifest, entry, by, target }) =>
    `${manifest}: ${entry} was skipped. ${by} already serves ${target}.`,
  named_twice: ({ manifest, entry }) =>
    `${manifest} has ${entry} more than once. Updaters read the last one only.`,
  not_served: ({ manifest, entry, members }) => {
    const where = entry === '' ? manifest : `${manifest}: ${entry}`
    return `${where} has ${formatList(members)}, which is kept with the release but not part of update checks.`
  },
  staged: (remark) => stagedSentence(remark),
  signed: ({ manifest }) =>
    `${manifest} has a signature, so it is kept with the release and served unchanged.`,
  signed_staged: ({ manifest, percentage }) =>
    `${manifest} is served unchanged, with its limit of ${formatPercent(percentage)}: of the devices that are offered the release, the updater updates ${Math.trunc(percentage)}%.`,
  list_too_large: ({ manifest }) =>
    `${manifest} is above ${formatSize(MAX_LIST_BYTES)}, so it is not kept. Devices get a list that the server writes.`,
  floor_ignored: ({ manifest, floor }) =>
    `${manifest}: electron-updater ignores the minimumSystemVersion ${floor}. It needs three numbers, such as 10.0.22631.`,
  member_unreadable: ({ manifest, entry, member }) => {
    const where = entry === '' ? manifest : `${manifest}: ${entry}`
    return `${where} has ${member} in a form that the updater cannot read. It was left out.`
  },
  missing: ({ manifest, field, count, total }) => {
    if (count === total)
      return `No artifact in ${manifest} has ${field === 'arch' ? 'an' : 'a'} ${FIELD_NAMES[field]}.`
    const some = `${formatCount(count)} of ${formatCounted(total, 'artifact')} in ${manifest}`
    return `${some} ${count === 1 ? 'has' : 'have'} no ${FIELD_NAMES[field]}.`
  },
  manifests_disagree: ({ file, first, second }) =>
    `${disagreementSentence({ file, first, second })} The file of ${second} was skipped.`,
  replaced: ({ by, file }) => `${by} replaced ${file}.`,
  signature_waits: ({ file }) => `${file}.sig is used once you add ${file}.`,
}

/** Returns why no device is offered a file, or can install it, as a sentence. */
export function unofferedSentence(unoffered: UnofferedFile): string {
  return say(UNOFFERED, unoffered)
}

const UNOFFERED: Sentences<UnofferedFile> = {
  package_unverifiable: ({ file }) =>
    `${file} is offered to no app that uses Squirrel.Windows or Velopack. Publish it with the RELEASES file or releases.*.json of its build, or its line as its signature.`,
  package_delta: ({ file }) =>
    `${file} is a delta package that is offered to no device: nothing says which package it was built from. Publish it with the RELEASES file or releases.*.json of its build, and with the full package.`,
  not_installable: ({ manifest, file, platform }) =>
    `${manifest}: Tauri apps on ${platform} cannot install ${file}.`,
  nothing_installable: ({ manifest, platform, needs }) =>
    `${manifest} has no ${formatList(needs, 'or')} file, so electron-updater is not offered this release on ${platform}.`,
}

const SIGNATURE_FAULTS: Readonly<Record<SignatureFault, (file: string) => string>> = {
  wrapped: (file) =>
    `The signature of ${file} has line breaks or spaces in it, and updaters refuse it. Write it on one line.`,
  not_encoded: (file) =>
    `The signature of ${file} is the text that minisign writes. Tauri apps need the base64 of it, as in the .sig file of Tauri.`,
  not_base64: (file) =>
    `The signature of ${file} is not base64. Tauri apps need the contents of its .sig file.`,
  not_minisign: (file) =>
    `The signature of ${file} is base64, but not of a minisign signature. Tauri apps need the complete contents of its .sig file.`,
}

/** A manifest that limits a release to a share of devices. */
export interface StagedManifest {
  readonly manifest: string
  readonly percentage: number
}

/** Returns that the percentage of a manifest is not served, as a sentence. */
export function stagedSentence({ manifest, percentage }: StagedManifest): string {
  if (!Number.isInteger(percentage)) {
    return `${manifest} has the stagingPercentage ${percentage}, which electron-updater reads as ${Math.trunc(percentage)}%. It is not served: set the rollout of the release.`
  }
  return `${manifest} has the stagingPercentage ${percentage}, which is not served. For the same effect, set the rollout of the release to ${percentage}%.`
}

/** Returns that two manifests describe different files under one name, as a sentence. */
export function disagreementSentence({ file, first, second }: Disagreement): string {
  return `${first} and ${second} name ${file} with different SHA-512.`
}

/** Returns what is suspicious about the files of version `version`, as a sentence. */
export function warningSentence(warning: ArtifactWarning, version: string): string {
  const release = version.trim() === '' ? 'the other files' : `version ${version.trim()}`
  switch (warning.code) {
    case 'manifest_version':
      return `${warning.manifest} is for version ${warning.found}, not ${release}.`
    case 'file_version':
      return `${warning.file} looks like version ${warning.found}, not ${release}.`
    case 'hash_differs':
      return `${warning.file} is not the file that ${warning.manifest} describes: their SHA-512 differs.`
    case 'package_differs':
      return `${warning.file} has another size than the ${formatCounted(warning.listed, 'byte')} of its line in the list of packages, so updaters refuse it. Publish the files of one build.`
    case 'empty_file':
      return `${warning.file} is empty.`
    case 'not_an_installer':
      return `${warning.file} does not look like an installer or an update archive.`
    case 'arch_assumed': {
      const { manifest, file, platform, arch } = warning
      const devices =
        arch === ANY_ARCH ? `every architecture of ${platform}` : `${platform} ${arch}`
      return `${manifest}: nothing names the architecture of ${file}. It is published for ${devices}.`
    }
    case 'signature_form': {
      const { manifest, file, fault } = warning
      const where = manifest === '' ? '' : `${manifest}: `
      return `${where}${SIGNATURE_FAULTS[fault](file)}`
    }
    case 'sparkle_signature': {
      const { manifest, file, isThere } = warning
      return isThere
        ? `${manifest}: the edSignature of ${file} is not what sign_update prints, so Sparkle is not offered the file.`
        : `${manifest}: ${file} has no edSignature. Apps with a public key of Sparkle refuse to install it. Sign it with sign_update.`
    }
    case 'unsigned':
      return unsignedWarning(warning.files) ?? ''
    case 'package_beside':
      return `${warning.file} downloads ${warning.name} from its own folder, which stored files do not have. Upload both to a web server.`
    case 'member_beside':
      return `The appcast names ${warning.name} in its own folder, where ${warning.file} is not. Sparkle is not served it: give it a full address.`
    case 'package_unverifiable':
    case 'package_delta':
    case 'not_installable':
    case 'nothing_installable':
      return unofferedSentence(warning)
    case 'floor_unreadable': {
      const { file, platform, floor } = warning
      return `${file} is offered whatever the operating system: its minimumSystemVersion ${floor} is not a version of ${platform}.`
    }
    case 'arch_differs':
      return `${warning.file} is published for ${warning.arch}, but its name has ${warning.found}.`
  }
}

/** Returns the warning about files without a signature before they are published, or null for none. */
export function unsignedWarning(files: readonly string[]): string | null {
  if (files.length === 0) return null
  const [has, it, its] =
    files.length === 1 ? ['has', 'it', 'its .sig file'] : ['have', 'them', 'their .sig files']
  return `${formatList(files)} ${has} no signature. Tauri apps download ${it} but refuse to install ${it}. Add the contents of ${its}.`
}

const NAMES: Readonly<Record<string, string>> = {
  darwin: 'macOS',
  windows: 'Windows',
  linux: 'Linux',
}

/**
 * Returns a version of an operating system with its name, such as `macOS 14.4`, also where it is written as a Darwin kernel. As it
 * is written for a platform that is not known, and for what cannot be read.
 */
export function systemInWords(platform: string, version: string): string {
  const canonical = canonicalPlatform(platform)
  const lowest = lowestSystem(canonical, version)
  const name = NAMES[canonical]
  if (name === undefined || lowest === undefined) return version
  const bare = version.replace(/^[a-z]+[ /_-]?(?=\d)/i, '')
  return `${name} ${canonical === 'darwin' ? lowest.replace(/(?:\.0)+$/, '') : bare}`
}
