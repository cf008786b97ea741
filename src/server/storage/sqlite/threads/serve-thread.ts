import type { MessagePort } from 'node:worker_threads'
import {
  type Answer,
  type Numbered,
  packFailure,
  type ThreadRole,
  type ThreadTask,
  type ThreadWork,
} from './thread-protocol.ts'

/** Answers the requests that come through `port` with the work of a role, until one is `Close`. */
export async function serveThread(
  port: MessagePort,
  { role, file }: ThreadTask,
): Promise<Pick<ThreadWork<never>, 'close'>> {
  const work = await OPEN[role](file)
  port.on('message', async (request: Numbered<{ readonly type?: string }>) => {
    const { id } = request
    const isLast = request.type === 'close'
    try {
      const value = await (isLast ? work.close() : work.answer(request as never))
      port.postMessage({ id, ok: true, value } satisfies Answer<unknown>)
    } catch (error) {
      work.failed?.(error)
      port.postMessage({ id, ok: false, failure: packFailure(error, file) } satisfies Answer<never>)
    }
    if (isLast) port.close()
    else work.answered?.()
  })
  return work
}

/** A thread loads what its role needs. */
const OPEN: Readonly<Record<ThreadRole, (file: string) => Promise<ThreadWork<never>>>> = {
  async telemetry(file) {
    const { TelemetryWork } = await import('../fleet/database/telemetry-work.ts')
    return new TelemetryWork(file)
  },
  async writer(file) {
    const { WriterWork } = await import('../writer/writer-work.ts')
    return new WriterWork(file)
  },
  async reader(file) {
    const { ReaderWork } = await import('../fleet/reads/reader-work.ts')
    return new ReaderWork(file)
  },
}
