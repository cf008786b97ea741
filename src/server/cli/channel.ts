import type { Command } from 'commander'
import { type ChannelPolicy, RollbackPolicy, UpdateMode } from '../../shared/channel.ts'
import { ChannelName, Version } from '../../shared/names.ts'
import type { DataOptions } from './data-folder.ts'
import { addCommand, addReadCommand, type ReadOptions, valid } from './options.ts'
import { print, printJson, printTable } from './output.ts'

interface PolicyOptions extends ReadOptions, Partial<ChannelPolicy> {}

/** `channel create`, `channel list`, `channel policy`. */
export function addChannelCommands(program: Command): void {
  const channel = program.command('channel').description('create and list channels, set policies')

  addCommand(channel, 'create', 'create a channel')
    .argument('<app>', 'app, by ref or id')
    .argument('<channel>', 'name of the channel', valid(ChannelName))
    .action(create)

  addReadCommand(channel, 'list', 'list the channels of an app')
    .argument('<app>', 'app, by ref or id')
    .action(list)

  addReadCommand(channel, 'policy', 'show the policy of a channel, or change what is named')
    .argument('<app>', 'app, by ref or id')
    .argument('<channel>', 'name of the channel')
    .option('--update-mode <mode>', UpdateMode.options.join(' or '), valid(UpdateMode))
    .option('--minimum-supported-version <version>', 'devices below it must update', valid(Version))
    .option(
      '--rollback <policy>',
      `where devices on a rolled-back version go: ${RollbackPolicy.options.join(' or ')}`,
      valid(RollbackPolicy),
    )
    .action(policy)
}

async function create(app: string, name: string, options: DataOptions): Promise<void> {
  const { withCatalog, commandLinePrincipal } = await import('./session.ts')
  const { createChannel } = await import('../updates/manage-apps.ts')
  await withCatalog(options, (catalog) =>
    createChannel({ catalog }, commandLinePrincipal(), { app, name }),
  )
  print(`Created the channel ${name} of ${app}.`)
}

async function list(named: string, options: ReadOptions): Promise<void> {
  const { withCatalog } = await import('./session.ts')
  const { requireApp } = await import('../catalog/catalog.ts')
  const { app, channels } = await withCatalog(options, async ({ snapshot }) => {
    const { record, channels } = requireApp(snapshot, named)
    const shown = [...channels.values()].map(
      ({ record: { name, policy, createdAt }, compiled }) => {
        return { name, policy, releases: compiled.releases.length, createdAt }
      },
    )
    return { app: record.ref, channels: shown }
  })
  if (options.json) {
    printJson({ app, channels })
    return
  }
  printTable(
    ['CHANNEL', 'RELEASES', 'UPDATE MODE', 'MINIMUM VERSION', 'ROLLBACK', 'CREATED'],
    channels.map(({ name, releases, policy, createdAt }) => [
      name,
      releases,
      policy.updateMode,
      policy.minimumSupportedVersion,
      policy.rollback,
      createdAt,
    ]),
    'The app has no channels.',
  )
}

async function policy(app: string, channel: string, options: PolicyOptions): Promise<void> {
  const { withCatalog, commandLinePrincipal } = await import('./session.ts')
  const { requireApp } = await import('../catalog/catalog.ts')
  const { setChannelPolicy } = await import('../updates/manage-apps.ts')
  const change = changeOf(options)
  const { ref, policy } = await withCatalog(options, async (catalog) => {
    const { ref } = requireApp(catalog.snapshot, app).record
    // A change of nothing writes nothing.
    const input = { app, channel, change }
    return { ref, policy: await setChannelPolicy({ catalog }, commandLinePrincipal(), input) }
  })
  if (options.json) {
    printJson({ app: ref, channel, policy })
    return
  }
  print(`update mode                ${policy.updateMode}`)
  print(`minimum supported version  ${policy.minimumSupportedVersion}`)
  print(`rollback                   ${policy.rollback}`)
}

function changeOf(options: PolicyOptions): Partial<ChannelPolicy> {
  const { updateMode, minimumSupportedVersion, rollback } = options
  return {
    ...(updateMode === undefined ? {} : { updateMode }),
    ...(minimumSupportedVersion === undefined ? {} : { minimumSupportedVersion }),
    ...(rollback === undefined ? {} : { rollback }),
  }
}
