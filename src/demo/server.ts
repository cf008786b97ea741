import type { Logger } from 'pino'
import { v7 as uuidv7 } from 'uuid'
import type { RunningServer } from '../server/compose/running-server.ts'
import type { ServerConfigInput } from '../server/config.ts'
import { createServer } from '../server/server.ts'
import type { DemoClock } from './clock.ts'
import { Random } from './random.ts'

/**
 * Starts the server of a demo, which takes its time from `clock`. `seed`: of the IDs that it makes. Throws what `createServer`
 * and its start throw.
 */
export function startDemoServer(
  config: ServerConfigInput,
  clock: DemoClock,
  log?: Logger,
  seed: number = clock.now(),
): Promise<RunningServer> {
  // What happens from the same time on happens again: who is in a step of a rollout depends on the release's ID.
  const ids = new Random(seed)
  const server = createServer(
    {
      // All of the fleet asks from one address.
      limits: { device: 0 },
      keepCheckInDays: 0,
      ...config,
    },
    log,
    { clock: clock.now, newId: () => uuidv7({ msecs: clock.now(), random: ids.bytes(16) }) },
  )
  return server.start()
}
