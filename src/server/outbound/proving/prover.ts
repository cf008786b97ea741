import type { ProvingSettings } from '../../../shared/files/proving.ts'
import type { Artifact } from '../../../shared/releases/release.ts'
import { Slots } from '../../runtime/limits/slots.ts'
import { FileMemory } from './file-memory.ts'
import type { InspectedArtifact, Inspection, InspectTask } from './inspect-artifact.ts'
import type { ProofProgress, ProofResult, ProofTask, ProvingLimits } from './prove-artifact.ts'
import type { StoredSource } from './stored-body.ts'

/** Most releases and files of one app that are proven or measured, or wait for it, at the same time. */
export const MAX_RUNS = 100

/** How a run ended: all artifacts were tried, or it was canceled before. */
export type ProofEnd = 'done' | 'canceled'

export interface ProofRun {
  /** Key of the app: what one has to be proven does not hold up another. */
  readonly app: number
  readonly releaseId: string
  readonly artifacts: readonly Artifact[]
  readonly settings: ProvingSettings
  readonly unchecked: ProofTask['unchecked']
  /** Stores what the proof of one artifact found. */
  readonly record: (position: number, result: ProofResult) => Promise<void>
}

/** Where an artifact of a run stands; undefined once its proof has ended. */
export type RunningProof =
  | { readonly state: 'queued' }
  | ({ readonly state: 'running' } & ProofProgress)

export interface ProverParts {
  readonly limits: ProvingLimits
  readonly userAgent: string
  /** Artifacts that are downloaded at the same time, and of those one app. */
  readonly parallel: { readonly total: number; readonly each: number }
  /** Finds what this server keeps itself; undefined for addresses elsewhere. */
  readonly findStored?: (url: string) => Promise<StoredSource | undefined>
  /** Remembers what files say of themselves. */
  readonly memory?: FileMemory
  inspect(task: InspectTask, signal: AbortSignal): Promise<Inspection>
  prove(
    task: ProofTask,
    signal: AbortSignal,
    onProgress: (progress: ProofProgress) => void,
  ): Promise<ProofResult>
}

interface Run {
  readonly app: number
  readonly proofs: Map<number, RunningProof>
  readonly canceled: AbortController
  readonly ended: Promise<ProofEnd>
}

/** Proves releases: a bounded number of artifacts at a time, each release once at a time. */
export class Prover {
  readonly memory: FileMemory
  readonly #parts: ProverParts
  readonly #slots: Slots<number>
  readonly #runs = new Map<string, Run>()
  readonly #stopped = new AbortController()
  /** What is measured, with the key of its app. */
  readonly #measures = new Map<Promise<ProofResult>, number>()

  constructor(parts: ProverParts) {
    this.#parts = parts
    this.memory = parts.memory ?? new FileMemory()
    this.#slots = new Slots(parts.parallel)
  }

  /** How many releases and files of an app are being proven or measured, or wait for it. */
  sizeOf(app: number): number {
    const apps = [...[...this.#runs.values()].map((run) => run.app), ...this.#measures.values()]
    return apps.filter((each) => each === app).length
  }

  /** Begins to prove a release, unless it runs. Resolves when all was tried or canceled; rejects if something could not be. */
  start(task: ProofRun): Promise<ProofEnd> {
    const running = this.#runs.get(task.releaseId)
    if (running !== undefined) return running.ended
    const canceled = new AbortController()
    const proofs = new Map<number, RunningProof>()
    for (const position of task.artifacts.keys()) proofs.set(position, { state: 'queued' })
    const ended = this.#proveAll(task, proofs, canceled.signal).finally(() =>
      this.#runs.delete(task.releaseId),
    )
    this.#runs.set(task.releaseId, { app: task.app, proofs, canceled, ended })
    return ended
  }

  /** The artifacts of a release that are queued or running, by position; undefined if it is not being proven. */
  running(releaseId: string): ReadonlyMap<number, RunningProof> | undefined {
    return this.#runs.get(releaseId)?.proofs
  }

  /** Ends the run of a release. What it has recorded stays. */
  cancel(releaseId: string): void {
    this.#runs.get(releaseId)?.canceled.abort()
  }

  /** Downloads a file for its size (`size`, unless 0) and SHA-512, in the app's turn. Rejects with the reason of `signal` or `stop`. */
  measure(
    { app, settings, ...file }: Pick<ProofRun, 'app' | 'settings'> & Pick<Artifact, 'url' | 'size'>,
    signal: AbortSignal,
    onProgress: (progress: ProofProgress) => void,
  ): Promise<ProofResult> {
    const artifact = { ...file, sha512: '', signature: '' }
    const either = AbortSignal.any([signal, this.#stopped.signal])
    const unsigned = { ...settings, minisignKey: null }
    const measured = this.#slots.run(app, either, async () =>
      this.#parts.prove(await this.#taskOf(artifact, unsigned, []), either, onProgress),
    )
    this.#measures.set(measured, app)
    const forget = () => this.#measures.delete(measured)
    measured.then(forget, forget)
    return measured
  }

  /** Looks into a file. Waits for its turn as `measure` does, and rejects as it does. */
  async inspect(
    { app, settings, ...artifact }: Pick<ProofRun, 'app' | 'settings'> & InspectedArtifact,
    signal: AbortSignal,
  ): Promise<Inspection> {
    const either = AbortSignal.any([signal, this.#stopped.signal])
    return await this.#slots.run(app, either, async () => {
      const { limits, userAgent, findStored, inspect } = this.#parts
      const stored = await findStored?.(artifact.url)
      return await inspect({ artifact, settings, limits, userAgent, stored }, either)
    })
  }

  /** Cancels everything, and waits until it has ended. */
  async stop(): Promise<void> {
    this.#stopped.abort()
    const runs = [...this.#runs.values()]
    for (const { canceled } of runs) canceled.abort()
    await Promise.allSettled([...runs.map(({ ended }) => ended), ...this.#measures.keys()])
  }

  async #proveAll(
    task: ProofRun,
    proofs: Map<number, RunningProof>,
    signal: AbortSignal,
  ): Promise<ProofEnd> {
    const results = await Promise.allSettled(
      task.artifacts.map((_, position) =>
        this.#slots.run(task.app, signal, () => this.#proveOne(task, position, proofs, signal)),
      ),
    )
    const failed = results.find((result) => result.status === 'rejected')
    if (signal.aborted) return 'canceled'
    if (failed !== undefined) throw failed.reason
    return 'done'
  }

  async #proveOne(
    { artifacts, settings, unchecked, record }: ProofRun,
    position: number,
    proofs: Map<number, RunningProof>,
    signal: AbortSignal,
  ): Promise<void> {
    const artifact = artifacts[position]
    if (artifact === undefined) return
    proofs.set(position, { state: 'running', read: 0, total: artifact.size })
    const { url, sha512, size, signature } = artifact
    const task = await this.#taskOf({ url, sha512, size, signature }, settings, unchecked)
    const result = await this.#parts.prove(task, signal, (progress) =>
      proofs.set(position, { state: 'running', ...progress }),
    )
    await record(position, result)
    proofs.delete(position)
  }

  async #taskOf(
    artifact: ProofTask['artifact'],
    settings: ProvingSettings,
    unchecked: ProofTask['unchecked'],
  ): Promise<ProofTask> {
    const { limits, userAgent, findStored } = this.#parts
    const stored = await findStored?.(artifact.url)
    return { artifact, settings, unchecked, limits, userAgent, stored }
  }
}
