import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { runCommand } from '../../../src/server/cli/run.ts'
import { type CommandRequest, endMark } from './command-protocol.ts'

// Runs commands of the command line one after the other, each as if the process were its own: with its
// arguments, its environment and its exit code, on the real streams. Started by `commands.ts`.

/** Milliseconds in which a command that has ended lets go of what keeps its process running. */
const PATIENCE = 10_000
const INTERVAL = 5
/** The program that users start, which is bundled beside this script. */
const CLI = join(import.meta.dirname, 'cli.js')

// Before a command: what only exists once it was used would count as left behind.
for (const stream of [process.stdout, process.stderr]) stream.write('')

process.on('message', async ({ args, env }: CommandRequest) => {
  const before = { resources: countResources(), listeners: listenersOfSignals() }
  setEnvironment(env)
  process.argv = [process.execPath, CLI, ...args]
  process.exitCode = undefined
  await runCommand()
  await untilNothingRuns(before.resources)
  for (const [signal, listeners] of before.listeners) {
    for (const listener of process.listeners(signal)) {
      if (!listeners.includes(listener)) process.removeListener(signal, listener)
    }
  }
  const end = endMark(Number(process.exitCode ?? 0))
  process.exitCode = undefined
  process.stdout.write(end)
  process.stderr.write(end)
})

process.on('disconnect', () => process.exit())

/** In place: `env-paths` keeps the object. */
function setEnvironment(env: Readonly<Record<string, string>>): void {
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name]
  Object.assign(process.env, env)
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

function listenersOfSignals() {
  return SIGNALS.map((signal) => [signal, process.listeners(signal)] as const)
}

/** What keeps this process running, by kind. */
function countResources(): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const kind of process.getActiveResourcesInfo()) {
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
  }
  return counts
}

/** A process of its own would not end while a command leaves something running. */
async function untilNothingRuns(before: ReadonlyMap<string, number>): Promise<void> {
  const deadline = performance.now() + PATIENCE
  for (;;) {
    const left = [...countResources()].filter(([kind, count]) => count > (before.get(kind) ?? 0))
    if (left.length === 0) return
    if (performance.now() > deadline) {
      throw new Error(`${process.argv.slice(2).join(' ')} left running: ${left.join('; ')}`)
    }
    await delay(INTERVAL, undefined, { ref: false })
  }
}
