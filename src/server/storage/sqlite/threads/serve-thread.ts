import type { MessagePort } from 'node:worker_threads'
import {
  type Answer,
  CLOSE,
  packFailure,
  type Request,
  type ThreadRole,
  type ThreadTask,
  type ThreadWork,
} from './thread-protocol.ts'

/** Answers the requests that come through `port` with the work of a role, until one is `CLOSE`. */
export async function serveThread(
  port: MessagePort,
  task: ThreadTask,
): Promise<Pick<ThreadWork, 'close'>> {
  const { role, file } = task
  const work = await OPEN[role](task)
  port.on('message', async ({ id, method, args }: Request) => {
    const isLast = method === CLOSE
    try {
      const value = await (isLast ? work.close() : call(work.methods(), method, args))
      port.postMessage({ id, ok: true, value } satisfies Answer<unknown>)
    } catch (error) {
      work.failed?.(error)
      port.postMessage({ id, ok: false, failure: packFailure(error, file) } satisfies Answer<never>)
    }
    if (isLast) port.close()
    else work.answered?.(args)
  })
  return work
}

/** A thread loads what its role needs. */
const OPEN: Readonly<Record<ThreadRole, (task: ThreadTask) => Promise<ThreadWork>>> = {
  async telemetry({ file, identity }) {
    const { TelemetryWork } = await import('../fleet/database/telemetry-work.ts')
    return new TelemetryWork(file, identity)
  },
  async writer({ file }) {
    const { WriterConnection } = await import('../writer/writer-connection.ts')
    return openedLate(() => {
      const methods = new WriterConnection(file, { checkpoint: 'elsewhere' })
      return { methods, close: () => methods.close() }
    })
  },
  async reader({ file }) {
    const { openDatabase } = await import('../database.ts')
    const { createReaders } = await import('../fleet/reads/readers.ts')
    return openedLate(() => {
      const database = openDatabase(file, { readonly: true })
      return { methods: createReaders(database), close: () => void database.close() }
    })
  },
}

interface Opened extends Pick<ThreadWork, 'close'> {
  readonly methods: object
}

function openedLate(open: () => Opened): ThreadWork {
  let opened: Opened | undefined
  return {
    methods() {
      opened ??= open()
      return opened.methods
    },
    close: () => opened?.close(),
  }
}

function call(methods: object, name: string, args: readonly unknown[]): unknown {
  const method: unknown = Reflect.get(methods, name)
  if (typeof method !== 'function') throw new TypeError(`no such method: ${name}`)
  return Reflect.apply(method, methods, args)
}
