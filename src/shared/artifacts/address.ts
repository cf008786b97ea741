/**
 * Completes the address of a file. An absolute one is kept, but for what has to be encoded; a relative one follows `base`,
 * the address of a folder with or without its last slash. Empty where `base` is needed and is none.
 */
export function completeAddress(base: string, address: string): string {
  if (isAbsolute(address)) return encodedAddress(address)
  const folder = readFolder(base)
  if (folder === undefined || address === '') return ''
  try {
    return new URL(address, folder).href
  } catch {
    return ''
  }
}

/**
 * Returns an address with spaces and letters of other scripts encoded, as updaters read it. Any other stays as it is
 * written: it may be signed.
 */
export function encodedAddress(address: string): string {
  return /[^\x21-\x7e]|["<>\\^`{}]/.test(address) ? (URL.parse(address)?.href ?? address) : address
}

/** Returns whether a base address can be used; an empty one can. */
export function isBaseAddress(base: string): boolean {
  return base.trim() === '' || readFolder(base) !== undefined
}

/** Returns whether an address is absolute. */
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

/** The folders and the file of an address, decoded, without the host; empty for none. */
export function addressPath(address: string): string {
  const path = URL.parse(address)?.pathname ?? ''
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

function readFolder(base: string): URL | undefined {
  const text = base.trim()
  if (!isAbsolute(text)) return undefined
  const url = URL.parse(text.endsWith('/') ? text : `${text}/`)
  return url ?? undefined
}
