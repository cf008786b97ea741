import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { forkPackedServerProcess, type PackedServerProcess } from './packed-server-process.ts'

const PATIENCE = 10_000
const POLL = 50

const Health = z.object({
  status: z.literal('ok'),
  version: z.string(),
  telemetry: z.object({ state: z.literal('ok'), queued: z.int(), lost: z.literal(0) }),
})

/** What the packed server answered last. */
export type PackedHealth = z.infer<typeof Health>

/**
 * Runs the server of an extracted archive under Node, once through: started on a free port, an app
 * made as the console makes it, a device's check over HTTP, its check-in stored by the writer's
 * thread, stopped. It proves that what was packed is complete and finds its native file and its
 * worker; it does not prove that Electron reads them from the archive. Throws when anything fails.
 * @param app folder of the extracted archive
 * @param dataFolder an empty folder
 */
export async function runPackedServer(app: string, dataFolder: string): Promise<PackedHealth> {
  const server = forkPackedServerProcess(app, dataFolder)
  try {
    const { address } = await server.start()
    await server.call('apps.create', { ref: 'packed', name: 'Packed' })
    const check = await fetch(`${address}/u/packed/stable/linux/x86_64/1.0.0`, {
      headers: { 'X-Service-Device': 'package-check' },
    })
    if (check.status !== 204) throw new Error(`the device's check was answered ${check.status}`)
    const health = await settledHealth(`${address}/healthz`)
    await end(server)
    return health
  } finally {
    server.kill()
  }
}

/** The health once nothing is queued any more. */
async function settledHealth(url: string): Promise<PackedHealth> {
  const until = performance.now() + PATIENCE
  for (;;) {
    const health = Health.parse(await (await fetch(url)).json())
    if (health.telemetry.queued === 0) return health
    if (performance.now() > until) throw new Error('the check-in is not stored')
    await sleep(POLL)
  }
}

async function end(server: PackedServerProcess): Promise<void> {
  const { exitCode, complaints } = await server.stop()
  if (exitCode !== 0) throw new Error(`the packed server ended with ${exitCode}`)
  if (complaints !== '') throw new Error(`the packed server complains:\n${complaints}`)
}
