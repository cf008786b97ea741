import { hash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { TAURI_SIGNATURE } from './minisign.ts'

/** The files of a build, by name. */
export type Build = Readonly<Record<string, string>>

/** Writes the files of a build into a folder. */
export function writeBuild(folder: string, files: Build): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
}

/** Returns a SHA-512 as electron-builder writes it. */
export function sha512Base64(content: string): string {
  return hash('sha512', content, 'base64')
}

/** Returns a SHA-512 in hex. */
export function sha512Hex(content: string): string {
  return hash('sha512', content, 'hex')
}

/** The `latest.json` of tauri-action. `urls`: by target, such as `windows-x86_64`. */
export function tauriManifest(
  version: string,
  urls: Readonly<Record<string, string>>,
  signature = TAURI_SIGNATURE,
): string {
  const platforms = Object.entries(urls).map(([target, url]) => [target, { url, signature }])
  return JSON.stringify({ version, notes: 'Tauri', platforms: Object.fromEntries(platforms) })
}

/** A `latest*.yml` of electron-builder for files. */
export function builderManifest(version: string, files: Build): string {
  const entries = Object.entries(files).map(
    ([url, content]) =>
      `  - url: ${url}\n    sha512: ${sha512Base64(content)}\n    size: ${Buffer.byteLength(content)}\n`,
  )
  return `version: ${version}\nfiles:\n${entries.join('')}`
}
