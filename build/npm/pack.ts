import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const Packed = z.tuple([
  z.object({ filename: z.string(), size: z.int(), unpackedSize: z.int(), entryCount: z.int() }),
])

/** Makes the tarball of the package in `from` in the folder `to`, and tells on stdout where it is and how large. */
export function pack(from: string, to: string): void {
  mkdirSync(to, { recursive: true })
  const { status, stdout } = spawnSync('npm', ['pack', '--json', '--pack-destination', to], {
    cwd: from,
    encoding: 'utf8',
    shell: process.platform === 'win32',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (status !== 0) throw new Error('npm pack failed')
  const [{ filename, size, unpackedSize, entryCount }] = Packed.parse(JSON.parse(stdout))
  process.stdout.write(
    `${join(to, filename)}: ${kibibytes(size)}, ${entryCount} files of ${kibibytes(unpackedSize)}\n`,
  )
}

function kibibytes(bytes: number): string {
  return `${(bytes / 1024).toFixed(0)} KiB`
}
