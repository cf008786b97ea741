import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable, Writable } from 'node:stream'
import { ADDRESS_BAR_PAGES, CHROMIUM } from '../support/processes/chromium-features.ts'
import { DevToolsConnection } from './devtools.ts'

const PREFIX = 'electron-double-'

/** Folder of this process, for Chromium's profile. Removed when the process ends. */
export const scratch = createScratchFolder()

const flags = [
  '--headless=new',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-extensions',
  '--disable-sync',
  '--no-first-run',
  '--no-default-browser-check',
  '--no-startup-window',
  '--password-store=basic',
  // Frames of every origin stay in their page's process, where one session sees them all.
  '--disable-site-isolation-trials',
  `--disable-features=${['IsolateOrigins', 'site-per-process', 'Translate', 'MediaRouter', ...ADDRESS_BAR_PAGES].join()}`,
  // The double uses the pipe, and Chromium exits when the pipe closes, however the double ends.
  '--remote-debugging-pipe',
  // Playwright connects here.
  '--remote-debugging-port=0',
  `--user-data-dir=${join(scratch, 'profile')}`,
]

const chromium = spawn(CHROMIUM, flags, {
  stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
  // A process group can be killed as one.
  detached: true,
})
const [, , stderr, toChromium, fromChromium] = chromium.stdio
if (!(toChromium instanceof Writable && fromChromium instanceof Readable && stderr)) {
  throw new Error('Chromium has no debugging pipe')
}

/** The double's only connection to its Chromium. */
export const connection = new DevToolsConnection(toChromium, fromChromium)

/** Resolves when Chromium accepts commands. */
export const chromiumReady = new Promise<void>((resolve) => {
  createInterface({ input: stderr }).on('line', (line) => {
    if (process.env.ELECTRON_DOUBLE_DEBUG) process.stderr.write(`[chromium] ${line}\n`)
    if (!line.startsWith('DevTools listening on ')) return
    // Playwright waits for this line.
    process.stderr.write(`${line}\n`)
    resolve()
  })
})

chromium.on('error', (error) => end(`Chromium cannot be started: ${error.message}`))
chromium.on('exit', (code, signal) => end(`Chromium ended (${signal ?? code})`))

process.on('exit', () => {
  chromium.removeAllListeners('exit')
  killGroup()
  removeScratch()
})

function end(reason: string): void {
  process.stderr.write(`electron-double: ${reason}\n`)
  process.exit(1)
}

function killGroup(): void {
  if (chromium.pid === undefined) return
  try {
    process.kill(-chromium.pid, 'SIGKILL')
  } catch {
    // It has already exited.
  }
}

/** Retries for two seconds, because processes that are being killed may still write. */
function removeScratch(): void {
  const pause = new Int32Array(new SharedArrayBuffer(4))
  for (let tries = 0; tries < 40; tries++) {
    try {
      rmSync(scratch, { recursive: true, force: true })
    } catch {}
    Atomics.wait(pause, 0, 0, 50)
    if (!existsSync(scratch)) return
  }
}

function createScratchFolder(): string {
  removeAbandoned()
  return mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`))
}

/** Removes the folders of doubles that were killed before they could remove them. */
function removeAbandoned(): void {
  for (const name of readdirSync(tmpdir())) {
    const pid = name.startsWith(PREFIX)
      ? Number.parseInt(name.slice(PREFIX.length), 10)
      : Number.NaN
    if (!Number.isInteger(pid) || isAlive(pid)) continue
    try {
      rmSync(join(tmpdir(), name), { recursive: true, force: true })
    } catch {
      // Another double is removing it, or a Chromium that is exiting still writes.
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
