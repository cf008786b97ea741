/**
 * How the names of files end that only the Tauri updater installs, or that it installs as well. It
 * rejects each of them without a signature. The last three are made by `createUpdaterArtifacts: "v1Compatible"`.
 */
const SIGNED_FILES = [
  '.app.tar.gz',
  '.appimage',
  '-setup.exe',
  '.msi',
  '.appimage.tar.gz',
  '.nsis.zip',
  '.msi.zip',
]

/** Returns whether the Tauri updater refuses to install a file without a signature, by its name or URL. */
export function needsSignature(nameOrUrl: string): boolean {
  const name = fileNameOf(nameOrUrl).toLowerCase()
  return SIGNED_FILES.some((ending) => name.endsWith(ending))
}

/** Returns the names of files that need a signature and have none, each once, in order. */
export function unsignedFiles(
  artifacts: readonly { readonly url: string; readonly signature: string }[],
): string[] {
  const files = artifacts
    .filter(({ url, signature }) => signature.trim() === '' && needsSignature(url))
    .map(({ url }) => fileNameOf(url))
  return [...new Set(files)]
}

function fileNameOf(nameOrUrl: string): string {
  const name = nameOrUrl.replace(/[?#].*$/s, '').replace(/^.*[/\\]/s, '')
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
