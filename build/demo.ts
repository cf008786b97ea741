import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DemoClock } from '../src/demo/clock.ts'
import { serveDownloads } from '../src/demo/download-server.ts'
import { type DemoFolder, makeDemoFolder } from '../src/demo/folder.ts'
import { LIVE_HOURS, liveHours } from '../src/demo/live-hours.ts'
import { Present } from '../src/demo/present.ts'
import { Random } from '../src/demo/random.ts'
import { formatCounted } from '../src/shared/wording/format.ts'
import { planHere } from './console.ts'
import { eventLine } from './demo/events.ts'
import { instructions } from './demo/instructions.ts'
import { type DemoCommand, readOptions } from './demo/options.ts'
import { progressLine } from './demo/progress.ts'
import { createAccount } from './demo/sign-in.ts'
import { text } from './demo/strings.ts'
import { claimPort, endOfDemo, openConsole, openServer, type Surface } from './demo/surface.ts'

// `npm run demo`: creates a data folder with a history, lets its last hours pass before the eyes of whoever signs in, and
// lets its devices check in until it is stopped.

/** What the parts of the demo have in common. */
interface Demo extends DemoCommand {
  readonly folder: string
  readonly dataFolder: string
  readonly downloads: string
  readonly made: DemoFolder
}

const HOUR = 3_600_000
const MINUTE = 60_000

const print = (line: string) => process.stdout.write(`${line}\n`)
const undo: (() => void | Promise<void>)[] = []
const stopped = endOfDemo()
const untilStopped = new Promise<void>((resolve) => {
  stopped.addEventListener('abort', () => resolve())
})
try {
  await run(readOptions(process.argv.slice(2)))
} catch (error) {
  if (!stopped.aborted) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  }
} finally {
  for (const close of undo.reverse()) await close()
}

async function run(options: DemoCommand): Promise<void> {
  const plan = planHere()
  if (options.desktop && plan.kind === 'headless') throw new Error(text.needsDesktop(plan.reason))
  const port = await claimPort(options.port)
  const folder = mkdtempSync(join(tmpdir(), 'tidegate-demo-'))
  const dataFolder = join(folder, 'data')
  undo.push(() => leave(folder, options.keep))
  const downloads = await serveDownloads()
  undo.push(() => downloads.stop())
  const made = await makePast(options, dataFolder, downloads.address)
  const demo = { ...options, port, folder, dataFolder, downloads: downloads.address, made }

  const surface =
    options.desktop && plan.kind === 'console'
      ? await openDesktop(demo, plan.binary)
      : await watchInBrowser(demo)
  const present = new Present({
    address: surface.address,
    devices: made.devices,
    random: new Random(options.seed),
    onTrouble: (reason) =>
      print(reason === undefined ? text.checkInsWork : text.checkInFailed(reason)),
  })
  present.start()
  undo.push(async () => {
    await present.stop()
    const { checkIns, updates, failures } = present.tally
    print(
      text.tally(
        formatCounted(checkIns, 'check-in'),
        formatCounted(updates, 'update'),
        formatCounted(failures, 'failure'),
      ),
    )
  })
  print(instructions(made, { address: surface.address, dataFolder }))
  await Promise.race([surface.closed, untilStopped])
}

async function makePast(
  { seed, devices, days }: DemoCommand,
  dataFolder: string,
  downloads: string,
): Promise<DemoFolder> {
  const began = performance.now()
  const made = await makeDemoFolder({
    ...{ dataFolder, seed, devices, days, downloads },
    end: Date.now() - LIVE_HOURS * HOUR,
    signal: stopped,
    onProgress: progressLine(text.creating(days, formatCounted(devices, 'device')), process.stdout),
  })
  const seconds = Math.round((performance.now() - began) / 1_000)
  print(text.created(formatCounted(made.checkIns, 'check-in'), seconds))
  return made
}

/** Lets the live hours pass while somebody watches in a browser. Returns the server when they are over. */
async function watchInBrowser(demo: Demo): Promise<Surface> {
  const { made, downloads, minutes } = demo
  const clock = new DemoClock(made.end)
  const surface = await openServer({ ...demo, signal: stopped }, clock)
  undo.push(() => surface.stop())
  const { server } = surface
  const { name, password, signedIn } = await createAccount(server)
  const { consoleAddress, consoleCode } = server
  const code = consoleCode === null ? '' : `#/code/${consoleCode}`
  print(`\n${text.console(`${consoleAddress ?? server.address}${code}`)}`)
  print(`${text.account(name, password)}\n`)
  if (demo.wait && minutes > 0) {
    print(text.waiting(minutes))
    await Promise.race([signedIn, untilStopped])
    stopped.throwIfAborted()
  } else print(minutes === 0 ? text.livingBefore : text.passing(minutes))
  await liveHours(server, {
    ...{ made, clock, downloads, signal: stopped },
    speed: minutes === 0 ? Number.POSITIVE_INFINITY : (LIVE_HOURS * HOUR) / (minutes * MINUTE),
    onEvent: (event) => print(eventLine(event, clock.now())),
  })
  print(text.present)
  return surface
}

/** Opens the desktop app. Its server has the clock of the computer, so another one lets the live hours pass before. */
async function openDesktop(demo: Demo, binary: string): Promise<Surface> {
  const { made, downloads } = demo
  const clock = new DemoClock(made.end)
  print(text.livingBefore)
  const before = await openServer({ ...demo, signal: stopped }, clock)
  const speed = Number.POSITIVE_INFINITY
  await liveHours(before.server, { made, clock, downloads, speed, signal: stopped }).finally(() =>
    before.stop(),
  )
  const surface = await openConsole(binary, { ...demo, signal: stopped })
  undo.push(() => surface.stop())
  print(`\n${text.listening(surface.address)}`)
  return surface
}

function leave(folder: string, keep: boolean): void {
  if (keep) print(text.kept(join(folder, 'data')))
  else rmSync(folder, { recursive: true, force: true })
}
