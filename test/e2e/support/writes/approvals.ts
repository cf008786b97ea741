import { z } from 'zod'
import { principalOf } from '../../../../src/server/web-console/principal.ts'
import { HOME } from '../../../support/builders/people.ts'
import { placeOf, press, released } from './releases.ts'
import type { World } from './world.ts'
import type { Writes } from './write.ts'

/** A channel that requires approval, with a release on it. */
const guarded = released(({ call }, app) =>
  call('channels.setPolicy', { app, channel: 'stable', policy: { requireApproval: true } }),
)

const RAISE = { kind: 'serving', rolloutPct: 50 } as const

/** A request that somebody else made, or the person of the browser. */
const requested = (isOwn: boolean) => async (world: World) => {
  const app = (await guarded(world)).split('/')[2] ?? ''
  const input = { ...placeOf(app), change: RAISE, comment: 'No crashes' }
  const id = isOwn
    ? z.object({ id: z.string() }).parse(await world.call('changeRequests.propose', input)).id
    : await world.running.updates.proposeChange(
        principalOf((await world.person()).session, HOME),
        input,
      )
  return `#/approvals/${id}`
}

/** Changes that wait for a second person. */
export const APPROVALS: Writes = {
  'changeRequests.propose': {
    at: guarded,
    async open({ button, field }) {
      await button('50%').click()
      await button('Raise to 50%').click()
      await field('Comment').fill('No crashes in the beta')
    },
    send: 'Request approval',
    done: 'Approval requested for 1.0.0',
  },
  'changeRequests.applyChange': {
    at: requested(false),
    async open({ button, field }) {
      await button('Apply change').click()
      await field('Comment').fill('Go on')
    },
    send: 'Apply change',
    done: 'Change of 1.0.0 applied',
    audited: 2,
  },
  'changeRequests.decline': {
    at: requested(false),
    async open({ button, field }) {
      await button('Decline').click()
      await field('Comment').fill('Not today')
    },
    send: 'Decline change',
    done: 'Change of 1.0.0 declined',
  },
  'changeRequests.withdraw': {
    at: requested(true),
    open: press('Withdraw'),
    send: 'Withdraw request',
    done: 'Request for 1.0.0 withdrawn',
  },
}
