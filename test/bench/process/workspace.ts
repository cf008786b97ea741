import type { ChildProcess } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The temporary folder and the child processes of a run, removed when it is disposed of. */
export class Workspace {
  readonly #root = mkdtempSync(join(tmpdir(), 'tidegate-bench-'))
  readonly #children = new Set<ChildProcess>()
  #folders = 0

  /** Registers a child process, so that it exits with the run. */
  track<Child extends ChildProcess>(child: Child): Child {
    this.#children.add(child)
    child.once('exit', () => this.#children.delete(child))
    return child
  }

  /** A path for a file or folder that is removed with the workspace. Nothing is created. */
  path(name: string): string {
    this.#folders += 1
    return join(this.#root, `${this.#folders}-${name}`)
  }

  /** A new, empty folder. */
  folder(name: string): string {
    const path = this.path(name)
    mkdirSync(path)
    return path
  }

  /** A copy of a folder that no process writes to. */
  copyOf(folder: string): string {
    const path = this.path('copy')
    cpSync(folder, path, { recursive: true })
    return path
  }

  remove(folder: string): void {
    rmSync(folder, { recursive: true, force: true })
  }

  /** Kills running children, including paused ones. */
  killAll(): void {
    for (const child of this.#children) child.kill('SIGKILL')
  }

  /** Kills running processes and removes written files. Synchronous: also called while exiting. */
  dispose(): void {
    this.killAll()
    rmSync(this.#root, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 })
  }
}
