import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from './folders.ts'

/** Manifests as build tools wrote them, a folder each; hosts and names were replaced. */
const FOLDER = join(import.meta.dirname, '../manifests')

/** Copies the manifests of a folder of `test/support/manifests`, and returns the path of the copy. */
export function copyManifests(name: string): string {
  const folder = temporaryFolder()
  cpSync(join(FOLDER, name), folder, { recursive: true })
  return folder
}

/** The same for a `latest.json`, whose files are at `address` instead; returns its path and the names of the files. */
export function copyTauriManifest(
  name: string,
  address: string,
): { readonly path: string; readonly files: readonly string[] } {
  const path = join(copyManifests(name), 'latest.json')
  const text = readFileSync(path, 'utf8').replaceAll('http://127.0.0.1:19210/', address)
  writeFileSync(path, text)
  const { platforms } = JSON.parse(text) as { platforms: Record<string, { url: string }> }
  const urls = new Set(Object.values(platforms).map(({ url }) => url))
  return { path, files: [...urls].map((url) => url.slice(address.length)) }
}
