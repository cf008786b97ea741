import type { ServerConfig } from '../config.ts'
import type { Hosting } from '../hosting/hosting.ts'
import { FileMemory } from '../outbound/proving/file-memory.ts'
import { inspectOnThread, proveOnThread } from '../outbound/proving/proof-thread.ts'
import { Prover } from '../outbound/proving/prover.ts'
import { ProvingSchedule } from '../outbound/proving/schedule.ts'
import type { StoredSource } from '../outbound/proving/stored-body.ts'
import { whileLeading } from '../runtime/cluster/leadership.ts'
import { VERSION } from '../runtime/version.ts'
import type { JudgePreflight } from '../use-cases/releases/preflight.ts'
import { proveStored } from '../use-cases/releases/prove-release.ts'
import type { Wiring } from './running-server.ts'
import { createPreflightThread } from './turn-threads.ts'

/** Artifacts that are downloaded at the same time, and of those one app: so no app waits for another one alone. */
const PARALLEL = { total: 4, each: 2 }

type Parts = Pick<Wiring, 'config' | 'catalog' | 'storage' | 'closing' | 'hosting' | 'failed'>

/** What proves and judges releases, on request and by the policies of the channels. */
export interface ProvingPart {
  readonly prover: Prover
  readonly schedule: ProvingSchedule
  readonly onProvingFailure: (error: unknown) => void
  readonly judgePreflight: JudgePreflight
}

/** Begins to prove what the policies of the channels ask for, for as long as this server leads. */
export function openProving(parts: Parts): ProvingPart {
  const { config, catalog, storage, closing, hosting, failed } = parts
  const memory = new FileMemory(config.dataFolder, failed('could not remember what files contain'))
  const prover = createProver(config.proving, memory, (url) => storedAt(hosting, url))
  closing.add(() => prover.stop())
  const preflights = createPreflightThread()
  closing.add(() => preflights.stop())
  const onProvingFailure = failed('could not prove a release')
  const schedule = new ProvingSchedule({
    ...{ catalog, lookEvery: config.proving.lookEvery },
    // A server that stood still does not record what it found before another one led.
    prove: (channel, release) =>
      proveStored({ catalog, prover }, channel, release, { leading: 'proving' }),
    cancel: (releaseId) => prover.cancel(releaseId),
    onFailure: onProvingFailure,
  })
  closing.add(whileLeading(storage.leadership('proving'), [schedule]))
  return { prover, schedule, onProvingFailure, judgePreflight: preflights.judge }
}

/** Creates what proves releases. It is idle until it is asked. */
export function createProver(
  { timeouts, maxBytes, dnsServers }: ServerConfig['proving'],
  memory: FileMemory,
  findStored: (url: string) => Promise<StoredSource | undefined> = async () => undefined,
): Prover {
  return new Prover({
    limits: { timeouts, maxBytes, dnsServers },
    userAgent: `Tidegate/${VERSION}`,
    parallel: PARALLEL,
    memory,
    prove: proveOnThread,
    inspect: inspectOnThread,
    findStored,
  })
}

/** Throws `bucket_unavailable`. */
async function storedAt(hosting: Hosting | undefined, url: string) {
  if (hosting === undefined || hosting.fileAt(url) === undefined) return undefined
  const { stored } = hosting
  await stored.ready()
  if (hosting.fileAt(url) === null) await stored.refresh()
  const file = hosting.fileAt(url) ?? null
  if (file === null) return { path: null }
  if (stored.kind === 'folder') return { path: stored.pathOf(file) }
  return { signed: await stored.addressOf(file, 'GET') }
}
