import { Worker } from 'node:worker_threads'
import { workerUrl } from '../../../runtime/threads/worker-url.ts'
import type { LeaseClock } from './lease-clock.ts'

export interface LeaseThreadData {
  readonly url: string
  readonly leaseTime: number
  readonly buffer: SharedArrayBuffer
}

/** To the thread: the node whose lease it holds, and that it should ask for the lease now. */
export type LeaseOrder =
  | { readonly type: 'hold'; readonly node: number }
  | { readonly type: 'beat' }

/** From the thread: the node has ended. */
export interface LeaseReport {
  readonly type: 'fenced'
  readonly node: number
}

/** How the lease of a node is renewed. */
export interface RenewalOptions {
  /** The connection URI. */
  readonly url: string
  /** Milliseconds that a lease lasts. */
  readonly leaseTime: number
  readonly clock: LeaseClock
  /** The node has ended: other nodes do not count on it, and its slot may be another's. */
  readonly onFenced: (node: number) => void
}

/** Milliseconds until a thread that failed is started again. */
const RESTART_TIME = 500

/** The thread that renews the lease, so that work on the main thread, however long, does not let it end. */
export class LeaseThread {
  readonly #options: RenewalOptions
  #worker: Worker | undefined
  #restart: NodeJS.Timeout | undefined
  #node: number | undefined
  #isClosed = false

  constructor(options: RenewalOptions) {
    this.#options = options
  }

  /** Holds the lease of that node, and of no other, until the thread is closed or reports that the node has ended. */
  hold(node: number): void {
    if (this.#isClosed) return
    this.#node = node
    this.#worker ??= this.#start()
    this.#order({ type: 'hold', node })
  }

  /** Asks for the lease now. */
  beat(): void {
    this.#order({ type: 'beat' })
  }

  /** Ends the thread. The lease is not renewed after that. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#restart)
    const worker = this.#worker
    this.#worker = undefined
    await worker?.terminate()
    this.#options.clock.end()
  }

  #order(order: LeaseOrder): void {
    this.#worker?.postMessage(order)
  }

  #start(): Worker {
    const { url, leaseTime, clock } = this.#options
    const workerData: LeaseThreadData = { url, leaseTime, buffer: clock.buffer }
    const worker = new Worker(workerUrl('lease-worker', import.meta.url), { workerData })
    worker.on('message', ({ node }: LeaseReport) => {
      if (node === this.#node && !this.#isClosed) this.#options.onFenced(node)
    })
    // Followed by its exit.
    worker.on('error', () => {})
    worker.on('exit', () => this.#replace(worker))
    worker.unref()
    return worker
  }

  #replace(worker: Worker): void {
    if (this.#worker !== worker) return
    this.#worker = undefined
    const again = () => {
      if (this.#node !== undefined) this.hold(this.#node)
    }
    this.#restart = setTimeout(again, RESTART_TIME).unref()
  }
}
