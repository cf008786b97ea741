import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createUpdateClient } from '../../../src/client/index.ts'
import { temporaryFolder } from './folders.ts'

const DEVICE = { app: 'editor', platform: 'darwin', arch: 'arm64', deviceId: 'one' } as const

/** A device that runs 1.0.0 of the app `editor`. */
export function clientOf(server: string, timeout = 30_000) {
  return createUpdateClient({ server, ...DEVICE, version: '1.0.0', timeout })
}

/** A folder with the file of the version that runs. */
export function deviceWith(base: Buffer | undefined) {
  const folder = temporaryFolder()
  const [from, to] = [join(folder, 'current.zip'), join(folder, 'next.zip')]
  if (base !== undefined) writeFileSync(from, base)
  return { from, to, folder }
}
