import { appRoutes, channelRoutes } from './apps/apps.ts'
import { commandRouterOf } from './command-context.ts'
import { commandLineRoutes } from './command-line/command-line.ts'
import { deviceRoutes } from './devices/devices.ts'
import { draftRoutes } from './drafts/drafts.ts'
import { keyRoutes } from './keys/keys.ts'
import { peopleRoutes } from './people/people.ts'
import { planRoutes } from './plans/plans.ts'
import { releaseRoutes } from './releases/releases.ts'
import { sessionRoutes } from './session/session.ts'
import { webhookRoutes } from './webhooks/webhooks.ts'

/**
 * What the command line can ask: the procedures of the console's router, under the same names, that need no more
 * than a `CommandContext`.
 */
export const commandRouter = commandRouterOf({
  apps: commandRouterOf({
    list: appRoutes.list,
    create: appRoutes.create,
    setProving: appRoutes.setProving,
    setFreezes: appRoutes.setFreezes,
  }),
  channels: commandRouterOf({
    create: channelRoutes.create,
    policy: channelRoutes.policy,
    setPolicy: channelRoutes.setPolicy,
  }),
  keys: keyRoutes,
  people: peopleRoutes,
  releases: commandRouterOf({
    checkVersion: releaseRoutes.checkVersion,
    publish: releaseRoutes.publish,
    changeServing: releaseRoutes.changeServing,
    prove: releaseRoutes.prove,
    proof: releaseRoutes.proof,
    cancelProof: releaseRoutes.cancelProof,
  }),
  plans: commandRouterOf({
    get: planRoutes.get,
    set: planRoutes.set,
    suspend: planRoutes.suspend,
    resume: planRoutes.resume,
    remove: planRoutes.remove,
    forecast: planRoutes.forecast,
  }),
  drafts: commandRouterOf({
    list: draftRoutes.list,
    get: draftRoutes.get,
    put: draftRoutes.put,
    publish: draftRoutes.publish,
    discard: draftRoutes.discard,
  }),
  devices: commandRouterOf({ forget: deviceRoutes.forget }),
  webhooks: commandRouterOf({
    list: webhookRoutes.list,
    delivery: webhookRoutes.delivery,
    create: webhookRoutes.create,
    setDisabled: webhookRoutes.setDisabled,
    remove: webhookRoutes.remove,
    test: webhookRoutes.test,
  }),
  session: commandRouterOf({ me: sessionRoutes.me }),
  commandLine: commandLineRoutes,
})

export type CommandRouter = typeof commandRouter
