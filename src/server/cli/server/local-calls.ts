import { setTimeout as delay } from 'node:timers/promises'
import { callTRPCProcedure } from '@trpc/server'
import type { CallRequest } from '../../../shared/console/bridge/bridge.ts'
import { procedureCall } from '../../../shared/console/bridge/procedures.ts'
import type { Catalog } from '../../catalog/catalog.ts'
import { createProver } from '../../compose/proving-part.ts'
import { createPreflightThread } from '../../compose/turn-threads.ts'
import { ServerConfig } from '../../config.ts'
import type { CommandContext } from '../../console/command-context.ts'
import { commandRouter } from '../../console/command-router.ts'
import type { DeviceName } from '../../fleet/facts.ts'
import { pathOfKept, requireKept } from '../../hosting/kept-file.ts'
import { Webhooks } from '../../outbound/outbox/webhooks.ts'
import { FileMemory } from '../../outbound/proving/file-memory.ts'
import type { Prover } from '../../outbound/proving/prover.ts'
import type { StoredSource } from '../../outbound/proving/stored-body.ts'
import type { People } from '../../people/people.ts'
import type { AttachedStorage } from '../../storage/interface/storage.ts'
import { createCommandUpdates } from '../../use-cases/command-updates.ts'
import { countedOfReleases } from '../../use-cases/plans/release-evidence.ts'
import { Failure } from '../command/errors.ts'
import { text } from '../strings/device.ts'
import type { CommandCalls } from './calls.ts'
import { localConsole } from './own-server.ts'
import { ServerNotRunning } from './remote-errors.ts'
import { commandLinePrincipal, requireConfirmation } from './session.ts'

/** Milliseconds to wait for a running server to forget a device; it usually takes less than a second. */
const PATIENCE = 10_000
const INTERVAL = 50

/** Procedures that work with people; opening those takes a moment that other commands are spared. */
const OF_PEOPLE = /^people\./

/** Procedures whose effect needs a server that runs: nothing else sends deliveries. */
const OF_RUNNING_SERVER: ReadonlySet<string> = new Set(['webhooks.test'])

interface LocalParts {
  readonly catalog: Catalog
  readonly storage: AttachedStorage
  /** Absolute path. */
  readonly place: string
  /** Where what files contain is remembered; undefined for nowhere. */
  readonly folder: string | undefined
}

/** Calls the procedures on a database of this computer, whether a server runs on it or not. */
export class LocalCalls implements CommandCalls {
  readonly #catalog: Catalog
  readonly #storage: AttachedStorage
  readonly #place: string
  readonly #prover: Prover
  readonly #preflights = createPreflightThread()
  #provingFailure: { readonly error: unknown } | undefined

  constructor({ catalog, storage, place, folder }: LocalParts) {
    const rules = ServerConfig.shape.proving.parse(undefined)
    this.#prover = createProver(rules, new FileMemory(folder), (url) => this.#storedAt(url))
    this.#place = place
    this.#catalog = catalog
    this.#storage = storage
    // What the server in question keeps is known while it runs. It deletes nothing within a transaction of another process.
    catalog.guardArtifacts(async (artifacts) => {
      const kept = (await storage.engine.holder())?.keptFiles
      if (kept) requireKept(kept, artifacts)
    })
  }

  /** Cancels what still runs. */
  async close(): Promise<void> {
    this.#preflights.stop()
    await this.#prover.stop()
  }

  /** Throws `ServerNotRunning` for what a running server is needed for, and what ended a proof that was begun here. */
  async call({ type, path, input }: CallRequest): Promise<unknown> {
    if (this.#provingFailure !== undefined) throw this.#provingFailure.error
    const { engine } = this.#storage
    if (OF_RUNNING_SERVER.has(path) && (await engine.holder()) === undefined) {
      throw new ServerNotRunning(this.#place)
    }
    const people = OF_PEOPLE.test(path) ? await this.#openPeople() : undefined
    const ctx = this.#context(people, await localConsole(engine))
    const before = people?.revision
    const result = await callTRPCProcedure({
      router: commandRouter,
      ctx,
      ...procedureCall({ type, path, input, signal: undefined }),
    })
    if (people !== undefined && people.revision !== before) {
      await requireConfirmation(this.#storage, 'people', people.revision)
    }
    return result
  }

  #context(opened: People | undefined, consoleAddress: string | null): CommandContext {
    const [catalog, fleet] = [this.#catalog, this.#storage.fleet()]
    const countedOf = countedOfReleases({ catalog, fleet })
    const updates = createCommandUpdates({
      catalog,
      fleet,
      findDevice: (appKey, id) => fleet.device(appKey, id),
      carryOutErasure: (name) => this.#carryOutErasure(name),
      webhooks: new Webhooks({
        ...{ store: this.#storage.outbox, privateHosts: null, clock: () => catalog.now() },
        newId: () => catalog.newId(),
        // The server that runs looks for what is due by itself.
        wake: () => {},
      }),
      invitationMail: () => null,
      // In this process, whether a server runs on the database or not.
      prover: this.#prover,
      hosting: null,
      judgePreflight: this.#preflights.judge,
      healthOf: async (releaseId) => (await countedOf(releaseId)).gated,
      observedOf: async (releaseId) => (await countedOf(releaseId)).observed,
      controlOf: () => null,
      // Only a running server judges.
      onProvingFailure: (error) => {
        this.#provingFailure = { error }
      },
      get people() {
        if (opened === undefined) throw new Error('a procedure outside people.* asked for them')
        return opened
      },
    })
    const who = { principal: commandLinePrincipal(), session: null }
    return { catalog, fleet, updates, consoleAddress, ...who }
  }

  /** Of the server that runs on the database. */
  async #storedAt(url: string): Promise<StoredSource | undefined> {
    const kept = (await this.#storage.engine.holder())?.keptFiles
    const path = kept ? pathOfKept(kept, url) : undefined
    return path === undefined ? undefined : { path }
  }

  async #openPeople(): Promise<People> {
    const { People } = await import('../../people/people.ts')
    const appRef = (key: number) => this.#catalog.snapshot.appByKey.get(key)?.record.ref
    return await People.open(this.#storage.people, { appRef })
  }

  /** Through the server that runs on the database, or directly if none does. */
  async #carryOutErasure(name: DeviceName): Promise<void> {
    const { engine } = this.#storage
    const deadline = performance.now() + PATIENCE
    // A server may stop or start in the meantime.
    while (!(await engine.erase(name))) {
      await delay(INTERVAL)
      if (!(await engine.isErasurePending(name))) return
      if (performance.now() < deadline) continue
      throw new Failure(text.device.notForgottenYet)
    }
  }
}
