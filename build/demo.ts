import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serveDownloads } from '../src/demo/download-server.ts'
import { makeDemoFolder } from '../src/demo/folder.ts'
import { Present } from '../src/demo/present.ts'
import { Random } from '../src/demo/random.ts'
import { formatCounted } from '../src/shared/wording/format.ts'
import { planHere } from './console.ts'
import { instructions } from './demo/instructions.ts'
import { type DemoCommand, readOptions } from './demo/options.ts'
import { progressLine } from './demo/progress.ts'
import { text } from './demo/strings.ts'
import { claimPort, endOfDemo, openSurface } from './demo/surface.ts'

// `npm run demo`: creates a data folder with a history, opens the console on it (or only the server if
// the console cannot be shown), and lets its devices check in until it is stopped.

const print = (line: string) => process.stdout.write(`${line}\n`)
const undo: (() => void | Promise<void>)[] = []
const stopped = endOfDemo()
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
  const port = await claimPort(options.port)
  const folder = mkdtempSync(join(tmpdir(), 'tidegate-demo-'))
  const dataFolder = join(folder, 'data')
  undo.push(() => leave(folder, options.keep))
  const downloads = await serveDownloads()
  undo.push(() => downloads.stop())

  const { seed, devices, days } = options
  const began = performance.now()
  const made = await makeDemoFolder({
    dataFolder,
    seed,
    devices,
    days,
    downloads: downloads.address,
    signal: stopped,
    onProgress: progressLine(text.creating(days, formatCounted(devices, 'device')), process.stdout),
  })
  const seconds = Math.round((performance.now() - began) / 1_000)
  print(text.created(formatCounted(made.checkIns, 'check-in'), seconds))

  if (plan.kind === 'headless') print(text.headless(plan.reason))
  const surface = await openSurface(plan, { folder, port, signal: stopped })
  undo.push(() => surface.stop())
  const present = new Present({
    address: surface.address,
    devices: made.devices,
    random: new Random(seed),
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
  print(`\n${text.listening(surface.address)}`)
  print(instructions(made, { address: surface.address, dataFolder }))
  await Promise.race([
    surface.closed,
    new Promise((resolve) => stopped.addEventListener('abort', resolve)),
  ])
}

function leave(folder: string, keep: boolean): void {
  if (keep) print(text.kept(join(folder, 'data')))
  else rmSync(folder, { recursive: true, force: true })
}
