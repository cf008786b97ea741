import type { Command } from 'commander'
import { z } from 'zod'
import { type ChannelPolicy, RollbackPolicy, UpdateMode } from '../../shared/channel.ts'
import { ChannelName, Version } from '../../shared/names.ts'
import type { DataOptions } from './data-folder.ts'
import { addCommand, addReadCommand, type ReadOptions, valid } from './options.ts'
import { print, printJson, printTable } from './output.ts'
import { text } from './strings/catalog.ts'
import { text as common } from './strings/common.ts'

const words = text.channel

interface PolicyOptions extends ReadOptions, Partial<Omit<ChannelPolicy, 'requireApproval'>> {
  readonly requireApproval?: YesOrNo
}

const YesOrNo = z.enum(['yes', 'no'])
type YesOrNo = z.infer<typeof YesOrNo>

/** `channel create`, `channel list`, `channel policy`. */
export function addChannelCommands(program: Command): void {
  const channel = program.command('channel').description(words.description)

  addCommand(channel, 'create', words.create)
    .argument('<app>', common.appArgument)
    .argument('<channel>', common.channelArgument, valid(ChannelName))
    .action(create)

  addReadCommand(channel, 'list', words.list).argument('<app>', common.appArgument).action(list)

  addReadCommand(channel, 'policy', words.policy)
    .argument('<app>', common.appArgument)
    .argument('<channel>', common.channelArgument)
    .option('--update-mode <mode>', words.updateMode(UpdateMode.options), valid(UpdateMode))
    .option('--minimum-supported-version <version>', words.minimumSupportedVersion, valid(Version))
    .option('--rollback <policy>', words.rollback(RollbackPolicy.options), valid(RollbackPolicy))
    .option('--require-approval <yes|no>', words.requireApproval, valid(YesOrNo))
    .action(policy)
}

async function create(app: string, name: string, options: DataOptions): Promise<void> {
  const { withCatalog, commandLinePrincipal } = await import('./session.ts')
  const { createChannel } = await import('../updates/manage-apps.ts')
  await withCatalog(options, (catalog) =>
    createChannel({ catalog }, commandLinePrincipal(), { app, name }),
  )
  print(words.created(name, app))
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
    words.headings,
    channels.map(({ name, releases, policy, createdAt }) => [
      name,
      releases,
      policy.updateMode,
      policy.minimumSupportedVersion,
      policy.rollback,
      words.requires(policy.requireApproval),
      createdAt,
    ]),
    words.empty,
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
  for (const line of words.policyLines(policy)) print(line)
}

function changeOf(options: PolicyOptions): Partial<ChannelPolicy> {
  const { updateMode, minimumSupportedVersion, rollback, requireApproval } = options
  return {
    ...(updateMode === undefined ? {} : { updateMode }),
    ...(minimumSupportedVersion === undefined ? {} : { minimumSupportedVersion }),
    ...(rollback === undefined ? {} : { rollback }),
    ...(requireApproval === undefined ? {} : { requireApproval: requireApproval === 'yes' }),
  }
}
