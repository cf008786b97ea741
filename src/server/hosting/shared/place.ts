import { randomUUID } from 'node:crypto'
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BucketPlace } from '../bucket/readings.ts'

/**
 * Returns what tells a folder from others, whatever its path on this computer: an ID in a file of it, which the first node
 * creates. Throws the error of the operating system if the folder cannot be used.
 */
export async function placeOfFolder(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, 'nodes.id')
  const known = await readFile(file, 'utf8').catch(() => '')
  if (known !== '') return known
  const own = join(folder, `nodes.id.${randomUUID()}`)
  await writeFile(own, randomUUID(), { mode: 0o600, flush: true })
  try {
    // Another node may create it at the same time. Some file servers have no links.
    await link(own, file).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') await rename(own, file)
    })
  } finally {
    await rm(own, { force: true })
  }
  return await readFile(file, 'utf8')
}

/** The same for a bucket. */
export function placeOfBucket({ endpoint = '', bucket, prefix }: BucketPlace): string {
  return `s3://${bucket}/${prefix} ${endpoint}`
}
