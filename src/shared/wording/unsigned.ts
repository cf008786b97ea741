import { formatList } from './format.ts'

/** Returns the warning about files without a signature before they are published, or null for none. */
export function unsignedWarning(files: readonly string[]): string | null {
  if (files.length === 0) return null
  return `${fact(files)} Add the contents of ${files.length === 1 ? 'its .sig file' : 'their .sig files'}.`
}

/** Returns the warning about files without a signature in a published release, or null for none. */
export function unsignedReleaseWarning(files: readonly string[]): string | null {
  if (files.length === 0) return null
  return `${fact(files)} To fix this, publish a new version with signatures.`
}

function fact(files: readonly string[]): string {
  const [has, it] = files.length === 1 ? ['has', 'it'] : ['have', 'them']
  return `${formatList(files)} ${has} no signature. Tauri apps download ${it} but refuse to install ${it}.`
}
