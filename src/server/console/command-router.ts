import { appRoutes, channelRoutes } from './apps/apps.ts'
import { keyRoutes } from './apps/keys.ts'
import { webhookRoutes } from './apps/webhooks.ts'
import { commandRouterOf } from './command-context.ts'
import { commandLineRoutes } from './command-line/command-line.ts'
import { deviceRoutes } from './devices/devices.ts'
import { peopleRoutes } from './people/people.ts'
import { sessionRoutes } from './people/session.ts'
import { draftRoutes } from './releases/drafts.ts'
import { planRoutes } from './releases/plans.ts'
import { releaseRoutes } from './releases/releases.ts'

/** What the command line can ask: procedures of the console's router that need no more than a `CommandContext`. */
export const commandRouter = commandRouterOf({
  apps: pick(appRoutes, 'list', 'create', 'setProving', 'setFreezes'),
  channels: pick(channelRoutes, 'create', 'policy', 'setPolicy'),
  keys: keyRoutes,
  people: peopleRoutes,
  releases: pick(
    releaseRoutes,
    'checkVersion',
    'health',
    'publish',
    'changeServing',
    'prove',
    'proof',
    'cancelProof',
    'preflight',
  ),
  plans: pick(planRoutes, 'get', 'set', 'suspend', 'resume', 'remove', 'forecast'),
  drafts: pick(draftRoutes, 'list', 'get', 'put', 'publish', 'discard'),
  devices: pick(deviceRoutes, 'forget'),
  webhooks: pick(webhookRoutes, 'list', 'delivery', 'create', 'setDisabled', 'remove', 'test'),
  session: pick(sessionRoutes, 'me'),
  commandLine: commandLineRoutes,
})

export type CommandRouter = typeof commandRouter

function pick<Routes extends object, Name extends keyof Routes>(
  routes: Routes,
  ...names: readonly Name[]
): Pick<Routes, Name> {
  return Object.fromEntries(names.map((name) => [name, routes[name]])) as Pick<Routes, Name>
}
