/**
 * Completes the address of a file. An absolute one is kept; a relative one follows `base`, the
 * address of a folder with or without its last slash. Empty where `base` is needed and is none.
 */
export function completeAddress(base: string, address: string): string {
  if (isAbsolute(address)) return address
  const folder = readFolder(base)
  if (folder === undefined || address === '') return ''
  try {
    return new URL(address, folder).href
  } catch {
    return ''
  }
}

/** Why a base address cannot be used, as a sentence; empty where it can, and where there is none. */
export function baseAddressIssue(base: string): string {
  if (base.trim() === '' || readFolder(base) !== undefined) return ''
  return 'Must be the http or https address of the folder that holds the files.'
}

/** Tells whether an address stands alone. */
export function isAbsolute(address: string): boolean {
  return /^https?:\/\//i.test(address)
}

/** The name of the file at the end of an address; empty where it ends with a slash. */
export function fileNameOf(address: string): string {
  const name = address.split(/[?#]/)[0]?.split('/').at(-1) ?? ''
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

function readFolder(base: string): URL | undefined {
  const text = base.trim()
  if (!isAbsolute(text)) return undefined
  const url = URL.parse(text.endsWith('/') ? text : `${text}/`)
  return url ?? undefined
}
