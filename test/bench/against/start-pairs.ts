import { setTimeout as sleep } from 'node:timers/promises'
import { showProgress } from '../output/progress.ts'
import { cpuTimes, residentMemory, threadsOf } from '../process/procfs.ts'
import type { Bench } from '../scenarios/scenario.ts'
import type { Pair } from './pair.ts'
import { alternately, type Sides } from './sides.ts'

/** Milliseconds that a server is left alone before its memory is read. */
const IDLE = 2_000
const HELP = ['--help']

/** The start of a server on a new folder, what it then takes, and of a command. */
export async function startPairs({ here, there }: Sides): Promise<Pair[]> {
  showProgress('startup: a new folder, and a command')
  const { rounds } = here.scale
  const started = await alternately(
    rounds,
    () => start(here),
    () => start(there),
  )
  const helped = await alternately(
    rounds,
    async () => (await here.tidegate.run(HELP)).ms,
    async () => (await there.tidegate.run(HELP)).ms,
  )
  const figure = (what: string, unit: string, of: (each: Started) => number): Pair => ({
    ...{ what, unit, isMore: false, here: started.here.map(of), there: started.there.map(of) },
  })
  return [
    figure('start on a new folder', 'ms', ({ ms }) => ms),
    figure('start on a new folder', 'ms of processor time', ({ cpu }) => cpu),
    figure('idle on a new folder', 'MB', ({ memory }) => memory),
    figure('idle on a new folder', 'threads', ({ threads }) => threads),
    { what: 'tidegate --help', unit: 'ms', isMore: false, ...helped },
  ]
}

interface Started {
  readonly ms: number
  /** Milliseconds of processor time until it is idle. */
  readonly cpu: number
  readonly memory: number
  readonly threads: number
}

async function start({ workspace, tidegate }: Bench): Promise<Started> {
  const folder = workspace.folder('empty')
  const server = await tidegate.serve(folder)
  await sleep(IDLE)
  const { pid, startMs: ms } = server
  const found = {
    ...{ ms, cpu: cpuTimes(pid).all * 1_000 },
    ...{ memory: residentMemory(pid).now, threads: threadsOf(pid) },
  }
  await server.stop()
  workspace.remove(folder)
  return found
}
