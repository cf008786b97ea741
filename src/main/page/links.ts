import { shell } from 'electron'
import { webLink } from './addresses.ts'

/** Opens a link in the browser of the machine. False where it may not be opened, or could not. */
export async function openLink(address: string): Promise<boolean> {
  const link = webLink(address)
  if (link === undefined) return false
  return shell.openExternal(link).then(
    () => true,
    () => false,
  )
}
