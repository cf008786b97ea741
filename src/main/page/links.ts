import { shell } from 'electron'
import { webLink } from './addresses.ts'

/** Opens a web link in the system's browser. Returns false if it must not or could not be opened. */
export async function openLink(address: string): Promise<boolean> {
  const link = webLink(address)
  if (link === undefined) return false
  return shell.openExternal(link).then(
    () => true,
    () => false,
  )
}
