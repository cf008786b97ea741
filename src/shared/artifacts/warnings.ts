import type { Coded } from '../coded.ts'
import { ANY_ARCH, canonicalArch, canonicalPlatform } from '../devices/aliases.ts'
import { isSystemVersion } from '../devices/system-version.ts'
import { needsSignature, unsignedFiles } from '../files/unsigned.ts'
import { addressPath, fileNameOf } from './address.ts'
import type { ArtifactDraft } from './artifact.ts'
import { relativeMembers, relativePackages } from './details.ts'
import { isInstaller, otherVersionIn } from './file-name.ts'
import { guessArch } from './guess.ts'
import { fileNameOfRow } from './rows.ts'
import { sha512InHex } from './sha512.ts'
import { RELEASES_LINE, SPARKLE_SIGNATURE } from './signature-form.ts'
import { type SignatureFault, signatureFault } from './tauri-signature.ts'
import { type UnofferedFile, unofferedFiles } from './unoffered.ts'

/** Something about the files of a release that is probably a mistake, but can be published. */
export type ArtifactWarning =
  | UnofferedFile
  | Coded<{
      /** A manifest, or a file or folder name, is of another version than the release. */
      manifest_version: { manifest: string; found: string }
      file_version: { file: string; found: string }
      /** The built file is not the one that the manifest describes. */
      hash_differs: { file: string; manifest: string }
      /** The built file has another size than its line in a list of packages, so updaters refuse it. */
      package_differs: { file: string; listed: number }
      empty_file: { file: string }
      not_an_installer: { file: string }
      /** Nothing names the architecture of a file in a manifest; `arch` was assumed. */
      arch_assumed: { file: string; manifest: string; platform: string; arch: string }
      /** The name of a file in a manifest names another architecture than it is published for. */
      arch_differs: { file: string; arch: string; found: string }
      /** A signature that Tauri's plugin refuses; `manifest` is empty if no manifest of Tauri lists the file. */
      signature_form: { file: string; manifest: string; fault: SignatureFault }
      /** The oldest system that a file runs on cannot be compared, so the file is offered to every device. */
      floor_unreadable: { file: string; platform: string; floor: string }
      /** An installer downloads a package that is beside it on a web server, but not among stored files. */
      package_beside: { file: string; name: string }
      /** Something else that an appcast names is beside it on a web server, so its element is left out. */
      member_beside: { file: string; name: string }
      /** Sparkle needs the signature of `sign_update`; `isThere`: there is one of another form. */
      sparkle_signature: { file: string; manifest: string; isThere: boolean }
      unsigned: { files: readonly string[] }
    }>

/**
 * Returns what is suspicious about the files of a release, each thing once. `version` is that of the release as
 * it is typed; while it is empty, the manifests are compared with each other. `isUploading`: the server will store the
 * files.
 */
export function artifactWarnings(
  drafts: readonly ArtifactDraft[],
  version: string,
  isUploading = false,
): ArtifactWarning[] {
  const listed = drafts.find((row) => row.listed !== null)?.listed?.version
  const expected = version.trim() || (listed ?? '')
  const warnings = new Map<string, ArtifactWarning>()
  for (const draft of drafts) {
    for (const warning of [
      ...rowWarnings(draft, expected),
      ...besideWarnings(draft, isUploading),
    ]) {
      warnings.set(JSON.stringify(warning), warning)
    }
  }
  // The updater of Electron checks no signatures of this kind.
  const isElectron = drafts.some((row) => row.listed?.format === 'electron_builder')
  const unsigned = [
    ...new Set([...(isElectron ? [] : unsignedFiles(drafts)), ...drafts.flatMap(unsignedInTauri)]),
  ]
  const rest: ArtifactWarning[] =
    unsigned.length === 0 ? [] : [{ code: 'unsigned', files: unsigned }]
  return [...warnings.values(), ...unofferedFiles(drafts), ...rest]
}

/** Tauri's plugin installs nothing that its manifest lists without a signature, whatever the name. */
function unsignedInTauri(row: ArtifactDraft): string[] {
  const isUnsigned = row.listed?.format === 'tauri' && row.signature.trim() === ''
  return isUnsigned ? [fileNameOfRow(row)] : []
}

function besideWarnings(row: ArtifactDraft, isUploading: boolean): ArtifactWarning[] {
  const file = fileNameOfRow(row)
  const packages = isUploading ? relativePackages(row) : []
  const members = isUploading || row.relative === '' ? relativeMembers(row) : []
  return [
    ...packages.map((name) => ({ code: 'package_beside', file, name }) as const),
    ...members.map((name) => ({ code: 'member_beside', file, name }) as const),
  ]
}

function rowWarnings(draft: ArtifactDraft, expected: string): ArtifactWarning[] {
  const { listed, file, url, relative, sha512 } = draft
  const name = file?.name ?? fileNameOf(url || relative)
  const warnings: ArtifactWarning[] = []
  if (listed !== null && !isSameVersion(listed.version, expected)) {
    warnings.push({
      code: 'manifest_version',
      manifest: listed.manifest,
      found: listed.version.replace(/^v/, ''),
    })
  }
  // The name decides; folders are read for names that say nothing.
  const other = otherVersionIn(name, expected) ?? otherVersionIn(addressPath(url), expected)
  if (other !== undefined) warnings.push({ code: 'file_version', file: name, found: other })
  if (listed !== null && file !== null && differ(listed.sha512, sha512)) {
    warnings.push({ code: 'hash_differs', file: name, manifest: listed.manifest })
  }
  warnings.push(
    ...packageWarnings(draft, name),
    ...archWarnings(draft, name),
    ...signatureWarnings(draft, name),
    ...floorWarnings(draft, name),
  )
  if (file?.size === 0) warnings.push({ code: 'empty_file', file: name })
  else if (file !== null && !isInstaller(name)) {
    warnings.push({ code: 'not_an_installer', file: name })
  }
  return warnings
}

function packageWarnings({ file, signature }: ArtifactDraft, name: string): ArtifactWarning[] {
  const listed = Number(RELEASES_LINE.exec(signature)?.[2] ?? 0)
  if (file === null || listed === 0 || listed === file.size) return []
  return [{ code: 'package_differs', file: name, listed }]
}

function archWarnings({ listed, platform, arch }: ArtifactDraft, file: string): ArtifactWarning[] {
  if (listed === null) return []
  const { assumedArch, manifest } = listed
  if (assumedArch !== '' && assumedArch === arch) {
    return [{ code: 'arch_assumed', file, manifest, platform, arch }]
  }
  const [found = '', meant] = [file, arch].map((each) =>
    guessArch(each, canonicalPlatform(platform)),
  )
  // Rust says loongarch64 for what Node calls loong64.
  const [named, given] = [found, meant || arch].map(canonicalArch)
  const isSame = found === '' || named === given || named === ANY_ARCH || given === ANY_ARCH
  return isSame ? [] : [{ code: 'arch_differs', file, arch, found }]
}

/** Files that no manifest of Tauri lists can have a signature of another format. */
function signatureWarnings({ listed, signature }: ArtifactDraft, file: string): ArtifactWarning[] {
  const given = signature.trim()
  const isSparkle = SPARKLE_SIGNATURE.test(given)
  if (listed?.format === 'sparkle') {
    const { manifest } = listed
    return isSparkle ? [] : [{ code: 'sparkle_signature', file, manifest, isThere: given !== '' }]
  }
  const fault = given === '' ? undefined : signatureFault(given)
  if (fault === undefined) return []
  const manifest = listed?.format === 'tauri' ? listed.manifest : ''
  const isOther =
    fault === 'not_base64' || isSparkle || (fault !== 'wrapped' && !needsSignature(file))
  return manifest === '' && isOther ? [] : [{ code: 'signature_form', file, manifest, fault }]
}

function floorWarnings({ details, platform }: ArtifactDraft, file: string): ArtifactWarning[] {
  const { minimumSystemVersion: floor } = details
  const isRead = floor === undefined || platform === '' || isSystemVersion(platform, floor)
  return isRead ? [] : [{ code: 'floor_unreadable', file, platform, floor }]
}

/** Build metadata and a leading `v` make no difference. */
function isSameVersion(one: string, other: string): boolean {
  const plain = (text: string) => text.trim().replace(/^v/, '').replace(/\+.*$/, '')
  return other === '' || plain(one) === plain(other)
}

/** One may be in hex and the other in base64; one that is not known yet differs from nothing. */
function differ(one: string, other: string): boolean {
  const [first, second] = [sha512InHex(one), sha512InHex(other)]
  return first !== '' && second !== '' && first !== second
}
