import { readdirSync, readFileSync } from 'node:fs'
import { residentMemory } from '../process/procfs.ts'

/** Resident megabytes (10^6 bytes) of an app's processes by their purpose. */
export interface AppMemory {
  readonly main: number
  readonly server: number
  /** The processes that render pages. */
  readonly page: number
  /** The other processes of the browser engine: graphics, network, and with the double the browser itself. */
  readonly engine: number
}

/**
 * Returns the memory of the process `main` and all its descendants. `server`: the process id of
 * the server. Shared pages count in each process. Undefined if there is no /proc.
 */
export function appMemory(main: number, server: number | undefined): AppMemory | undefined {
  const children = childrenByParent()
  if (children === undefined) return undefined
  const memory = { main: 0, server: 0, page: 0, engine: 0 }
  const waiting = [main]
  for (let pid = waiting.pop(); pid !== undefined; pid = waiting.pop()) {
    waiting.push(...(children.get(pid) ?? []))
    const { now } = residentMemory(pid)
    // It exited meanwhile.
    if (Number.isNaN(now)) continue
    if (pid === main) memory.main += now
    else if (pid === server) memory.server += now
    else memory[isPage(pid) ? 'page' : 'engine'] += now
  }
  return memory
}

function isPage(pid: number): boolean {
  // Chromium overwrites its command line, with spaces instead of zero bytes.
  return read(`/proc/${pid}/cmdline`).split(/[\0 ]/).includes('--type=renderer')
}

function childrenByParent(): Map<number, number[]> | undefined {
  const children = new Map<number, number[]>()
  const pids = readdirOrNone('/proc').map(Number).filter(Number.isInteger)
  if (pids.length === 0) return undefined
  for (const pid of pids) {
    const parent = Number(/^PPid:\s+(\d+)/m.exec(read(`/proc/${pid}/status`))?.[1])
    children.set(parent, [...(children.get(parent) ?? []), pid])
  }
  return children
}

function readdirOrNone(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'latin1')
  } catch {
    return ''
  }
}
