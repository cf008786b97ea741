import { randomUUID } from 'node:crypto'
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const FILE = 'update-device'

/**
 * Returns the random ID that `folder` keeps in the file `update-device`, after creating both where they do not exist.
 * Processes that start at the same time get the same ID. A damaged file is replaced.
 * Rejects with the error of the file system when the folder cannot be written.
 */
export async function keepDeviceId(folder: string): Promise<string> {
  const file = join(folder, FILE)
  const kept = await read(file)
  if (kept !== undefined) return kept
  await mkdir(folder, { recursive: true })
  const own = `${file}.${randomUUID()}`
  try {
    await writeFile(own, randomUUID())
    // A link appears with its contents, and to one process only.
    await link(own, file).catch((error) => replaceDamaged(own, file, error))
    return (await read(file)) ?? (await readFile(own, 'utf8'))
  } finally {
    await rm(own, { force: true })
  }
}

/** Returns whether the text can be a device ID: 1 to 128 printable ASCII characters without spaces. */
export function isDeviceId(text: string): boolean {
  return /^[\x21-\x7e]{1,128}$/.test(text)
}

/** Where the file exists but holds no ID, and where the file system has no links. */
async function replaceDamaged(own: string, file: string, error: NodeJS.ErrnoException) {
  if (error.code === 'EEXIST' && (await read(file)) !== undefined) return
  await rename(own, file)
}

async function read(file: string): Promise<string | undefined> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  const id = text.trim()
  return isDeviceId(id) ? id : undefined
}
