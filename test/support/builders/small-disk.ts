import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** Why tests that mount a small disk are skipped where they are. */
export const NO_SMALL_DISK = 'A small disk is mounted, which takes Linux and the right to mount'
export const canMount = process.platform === 'linux' && process.getuid?.() === 0 && mounts()

/** A disk with that many kilobytes, until the test is over. What was opened on it must be closed by then. */
export function smallDisk(kilobytes: number): string {
  const folder = mkdtempSync(join(tmpdir(), 'tidegate-disk-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${kilobytes}k`, 'tmpfs', folder])
  onTestFinished(() => {
    // Lazily: a thread that is ending may still hold a file.
    execFileSync('umount', ['--lazy', folder])
    rmSync(folder, { recursive: true, force: true })
  })
  return folder
}

/** Fills the disk to the last byte. */
export function fillDisk(disk: string): void {
  for (const bytes of [65_536, 4_096, 1]) {
    try {
      for (let n = 0; ; n++) writeFileSync(join(disk, `filler-${bytes}-${n}`), Buffer.alloc(bytes))
    } catch {
      // It is full now.
    }
  }
}

/** Deletes what `fillDisk` wrote. */
export function freeDisk(disk: string): void {
  for (const name of readdirSync(disk)) {
    if (name.startsWith('filler-')) rmSync(join(disk, name))
  }
}

/** Root in a container may still not mount anything. */
function mounts(): boolean {
  try {
    execFileSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt'], {
      stdio: 'ignore',
    })
    return true
  } catch {
    return false
  }
}
