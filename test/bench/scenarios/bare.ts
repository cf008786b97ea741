import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bareReply, rawReply, withoutDate } from '../fleet/captured-reply.ts'
import type { Pinning } from '../process/affinity.ts'
import { Listener } from '../process/listener.ts'
import type { Workspace } from '../process/workspace.ts'

const BARE_SERVER = join(import.meta.dirname, '../bare-server.ts')

/**
 * Starts a bare node:http server that sends the same reply as the server on `port` to `next`.
 * @throws Error when the two replies differ in more than their Date.
 */
export async function startBareServer(
  workspace: Workspace,
  port: number,
  next: () => Uint8Array,
  pins: Pinning | undefined,
): Promise<Listener> {
  const real = await rawReply(port, next())
  const file = workspace.path('reply.json')
  writeFileSync(file, JSON.stringify(bareReply(real)))
  const bare = await Listener.start(workspace, { args: [BARE_SERVER, file], cpus: pins?.server })
  const copied = await rawReply(bare.port, next())
  if (withoutDate(copied) !== withoutDate(real)) {
    throw new Error(`the bare server answers otherwise:\n${real}\n\n${copied}`)
  }
  return bare
}
