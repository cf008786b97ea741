import type { Coded } from '../coded.ts'
import { canonicalPlatform } from '../devices/aliases.ts'
import type { ArtifactDraft } from './artifact.ts'
import { fileNameOfRow } from './rows.ts'
import { RELEASES_LINE } from './signature-form.ts'

/** A file that no device is offered, or cannot install, whatever is published beside it. */
export type UnofferedFile = Coded<{
  /** A package of Squirrel.Windows or Velopack without its SHA-1 and size. */
  package_unverifiable: { file: string }
  /** A package of changes without the line of the package that it was built from. */
  package_delta: { file: string }
  /** Tauri's plugin cannot install files of this form on the platform. */
  not_installable: { manifest: string; file: string; platform: string }
  /** A manifest of electron-builder has no file that electron-updater installs on the platform. */
  nothing_installable: { manifest: string; platform: string; needs: readonly string[] }
}>

/** How the names of files end that electron-updater installs. */
const ELECTRON: Readonly<Record<string, readonly string[]>> = {
  windows: ['.exe'],
  darwin: ['.zip'],
  linux: ['.AppImage', '.deb', '.rpm', '.pacman'],
}

/** How the names of files end that Tauri's plugin installs, or that are archives of those. */
const TAURI: Readonly<Record<string, readonly string[]>> = {
  windows: ['.exe', '.msi', '.zip'],
  darwin: ['.tar.gz', '.tgz'],
  linux: ['.appimage', '.deb', '.rpm', '.tar.gz', '.tgz'],
}

/** Returns whether JSON is a list of packages of Velopack: `releases.win.json` or `assets.win.json`. */
export function isVelopackList(content: unknown): boolean {
  const list: unknown =
    typeof content === 'object' && content !== null && 'Assets' in content
      ? content.Assets
      : content
  return (
    Array.isArray(list) &&
    list.some((each) => Object.keys(Object(each)).some((key) => /FileName$/.test(key)))
  )
}

/** Returns the files that no device can install, each once. */
export function unofferedFiles(drafts: readonly ArtifactDraft[]): UnofferedFile[] {
  return [
    ...drafts.flatMap((row) => [
      ...unofferedPackage(fileNameOfRow(row), row.signature, Number(row.size)),
      ...notInstallable(row),
    ]),
    ...nothingInstallable(drafts),
  ]
}

/** Returns why a package is offered to nobody. `size`: bytes, 0 if unknown. */
export function unofferedPackage(file: string, signature: string, size: number): UnofferedFile[] {
  if (!/\.nupkg$/i.test(file)) return []
  const [, sha1, listed, base] = RELEASES_LINE.exec(signature) ?? []
  if (/-delta\.nupkg$/i.test(file))
    return base === undefined ? [{ code: 'package_delta', file }] : []
  const isKnown = sha1 !== undefined && (listed !== undefined || size > 0)
  return isKnown ? [] : [{ code: 'package_unverifiable', file }]
}

/** Returns whether Tauri's plugin installs files of that name on a canonical platform. */
export function isInstalledByTauri(platform: string, file: string): boolean {
  // An address can end without saying what the file is.
  const hasEnding = /\.[a-z]\w*$/i.test(file)
  return !hasEnding || hasEnd(file, TAURI[platform] ?? [])
}

function notInstallable(row: ArtifactDraft): UnofferedFile[] {
  const { listed } = row
  if (listed?.format !== 'tauri') return []
  const platform = canonicalPlatform(row.platform)
  const file = fileNameOfRow(row)
  if (isInstalledByTauri(platform, file)) return []
  return [{ code: 'not_installable', manifest: listed.manifest, file, platform }]
}

function nothingInstallable(drafts: readonly ArtifactDraft[]): UnofferedFile[] {
  const manifests = Map.groupBy(
    drafts.filter(({ listed }) => listed?.format === 'electron_builder'),
    ({ listed }) => listed?.manifest ?? '',
  )
  return [...manifests].flatMap(([manifest, rows]): UnofferedFile[] => {
    const platform = canonicalPlatform(rows[0]?.platform ?? '')
    const needs = ELECTRON[platform] ?? []
    const isServed = rows.some((row) => hasEnd(fileNameOfRow(row), needs))
    if (needs.length === 0 || isServed) return []
    return [{ code: 'nothing_installable', manifest, platform, needs }]
  })
}

function hasEnd(file: string, ends: readonly string[]): boolean {
  return ends.some((end) => file.toLowerCase().endsWith(end.toLowerCase()))
}
