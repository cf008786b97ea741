import type { FSWatcher } from 'node:fs'
import { mkdirSync, readdirSync, readFileSync, rmSync, watch, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const SecondInstance = z.object({ argv: z.array(z.string()), cwd: z.string(), data: z.unknown() })
type SecondInstance = z.infer<typeof SecondInstance>

const CALL = 'second-instance-'

/** One instance for each user data folder. A later one leaves its arguments there for the first. */
export class SingleInstanceLock {
  held = false
  private readonly folder: string
  private readonly onSecond: (second: SecondInstance) => void
  private watcher: FSWatcher | null = null

  constructor(userData: string, onSecond: (second: SecondInstance) => void) {
    this.folder = join(userData, 'SingletonLock.double')
    this.onSecond = onSecond
  }

  /** False when another process holds the lock. It is then notified. */
  acquire(data: unknown): boolean {
    if (this.held) return true
    mkdirSync(this.folder, { recursive: true })
    const owner = this.owner()
    if (owner !== null) {
      const call: SecondInstance = { argv: process.argv, cwd: process.cwd(), data }
      writeFileSync(join(this.folder, `${CALL}${process.pid}`), JSON.stringify(call))
      return false
    }
    writeFileSync(join(this.folder, 'pid'), String(process.pid))
    this.held = true
    this.watcher = watch(this.folder, { persistent: false }, () => this.takeCalls())
    process.on('exit', () => this.release())
    return true
  }

  release(): void {
    if (!this.held) return
    this.held = false
    this.watcher?.close()
    rmSync(this.folder, { recursive: true, force: true })
  }

  private takeCalls(): void {
    if (!this.held) return
    for (const name of readdirSync(this.folder).filter((entry) => entry.startsWith(CALL))) {
      const file = join(this.folder, name)
      const text = readFileSync(file, 'utf8')
      // Empty while it is being written: the watcher reports it again.
      if (text === '') continue
      rmSync(file)
      this.onSecond(SecondInstance.parse(JSON.parse(text)))
    }
  }

  private owner(): number | null {
    try {
      const pid = Number(readFileSync(join(this.folder, 'pid'), 'utf8'))
      process.kill(pid, 0)
      return pid
    } catch {
      return null
    }
  }
}
